import { noteAudit, recordAudit } from '../../../shared/security/audit/record.js';
import {
  sessionOwnerOf,
  type FactorProof,
  type HeldCookies,
  type RenewedSession,
  type SessionOwner,
} from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, errorAt } from '../../../shared/kernel/errors.js';
import { findAccount, lockAccount } from '../accounts/account.store.js';
import { givenPasswordErrors } from '../accounts/account.js';
import { type LoginGuard, factorClient, sessionClient } from '../accounts/login-guard.js';
import type { PasswordParts } from '../accounts/login.js';
import { isOwnPassword, provePassword } from '../accounts/prove-password.js';
import { isEnrolled, readHeldFactors, findTotp, useCode, useTotpStep } from '../second-factors/factor.store.js';
import { recoveryCodeUsedMail, notifyFactorOwner, type NoticeParts } from '../second-factors/factor.mails.js';
import { findBrowserSession, lockByCookie, renewCookie } from './browser-session.store.js';
import { mintToken } from '../tokens/one-time-token.js';
import { cookieHash, subjectsOf, type Devices } from './browser-session.js';
import { acceptAssertion, verifyAssertion } from '../second-factors/passkey-ceremonies.js';
import { recoveryCodeHash } from '../second-factors/recovery-code.js';
import type { SiteOf } from '../second-factors/relying-party.js';
import { matchTotp, sealedTotpSecret } from '../second-factors/totp.js';

export interface StepUpParts extends FactorParts, PasswordParts, NoticeParts {
  readonly devices: Devices;
  /** Counts wrong proofs by second factors, as the other guard counts wrong passwords. */
  readonly factorGuard: LoginGuard;
  readonly forgetSessions: (ids: readonly string[]) => void;
}

const names = { password: 'PASSWORD', totp: 'TOTP', recoveryCode: 'RECOVERY_CODE', passkey: 'PASSKEY' } as const;
type ProofName = keyof typeof names;

/**
 * Proves that the owner of the calling session is there: completes a log-in that waits for a second factor, and permits acts that need a step-up for some
 * minutes. The session gets another cookie, and the old one is worthless at once: of two at the same time, one gets UNAUTHORIZED.
 * @throws {ApiError} BAD_REQUEST for an invalid password; UNAUTHORIZED when the session has ended or its cookie was renewed; UNPROCESSABLE for a wrong or used
 *   proof, or one that does not count; TOO_MANY_REQUESTS after ten wrong ones in 15 minutes; UNAVAILABLE
 */
export async function stepUp(
  context: Context,
  parts: StepUpParts,
  { session: cookie = '', device }: HeldCookies,
  proof: FactorProof,
): Promise<RenewedSession> {
  const owner = sessionOwnerOf(context.principal);
  const name = nameOf(proof);
  const renewed = await proved(context, parts, { owner, cookie, name, device, proof });
  const account = owner.kind === 'ACCOUNT' ? await findAccount(context, owner.id) : undefined;
  return { ...renewed, device: parts.devices.remember(device, subjectsOf(owner.id, account)) };
}

interface Proving extends Omit<Renewal, 'accept'> {
  readonly device: string | undefined;
  readonly proof: FactorProof;
}

async function proved(
  context: Context,
  parts: StepUpParts,
  { proof, device, ...of }: Proving,
): Promise<RenewedSession> {
  const { owner } = of;
  if ('password' in proof) {
    await requirePassword(context, parts, owner, proof.password);
    return renew(context, parts, { ...of, accept: () => Promise.resolve(true) });
  }
  return bySecondFactor(context, parts, { ...of, device, proof });
}

interface Renewal {
  readonly owner: SessionOwner;
  readonly cookie: string;
  readonly name: ProofName;
  readonly accept: Accept;
}

async function bySecondFactor(
  context: Context,
  parts: StepUpParts,
  { proof, device, ...of }: Proving & { readonly proof: SecondFactorProof },
): Promise<RenewedSession> {
  // A session that waits for the factor was opened only by a password, as often as its owner likes.
  const isOpen = context.principal.browser?.due !== 'SECOND_FACTOR';
  const client = isOpen
    ? await sessionClient(context, of.owner.id)
    : (parts.devices.clientOf(device, of.owner.id) ?? (await factorClient(context, of.owner.id)));
  const attempt = await parts.factorGuard.begin(of.owner.id, client);
  let renewed: RenewedSession;
  try {
    const sessionId = context.principal.browser?.id ?? '';
    const accept = await prepareProof(context, parts, of.owner, { proof, sessionId });
    renewed = await renew(context, parts, { ...of, accept });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNPROCESSABLE') {
      await attempt.fail();
      noteAudit(context, { action: 'stepUp', outcome: 'REFUSED', reason: `UNPROCESSABLE: a wrong ${names[of.name]}` });
    } else await attempt.withdraw();
    throw error;
  }
  await attempt.succeed();
  return renewed;
}

async function renew(
  context: Context,
  parts: StepUpParts,
  { owner, cookie: present, name, accept }: Renewal,
): Promise<RenewedSession> {
  const cookie = mintToken();
  const hash = cookieHash(present);
  const endsAt = await inTransaction(context, async (tx) => {
    // An account is locked before its sessions, everywhere.
    if (owner.kind === 'ACCOUNT') await lockAccount(tx, owner.id);
    const id = hash && (await lockByCookie(tx, hash));
    const session = id === undefined ? undefined : await findBrowserSession(tx, id);
    if (id === undefined || session?.ownerId !== owner.id) throw new ApiError('UNAUTHORIZED');
    if (!(await accept(tx))) refuse('UNPROCESSABLE', [errorAt(name, 'PROOF_WRONG')]);
    await renewCookie(tx, id, { hash: sha256(cookie), secondFactor: name !== 'password' });
    await recordAudit(tx, { action: 'stepUp', subject: { type: 'session', id }, after: { factor: names[name] } });
    if (name === 'recoveryCode') await notifyFactorOwner(tx, parts, owner, recoveryCodeUsedMail);
    afterCommit(tx, () => parts.forgetSessions([id]));
    return session.expiresAt;
  });
  return { cookie, endsAt };
}

/** The password counts for an account without a second factor: with one, it would be the same proof as at the log-in. */
async function requirePassword(
  context: Context,
  { guard, verifyPortalUser }: StepUpParts,
  owner: SessionOwner,
  password: string,
): Promise<void> {
  refuse('BAD_REQUEST', givenPasswordErrors(password));
  if (owner.kind !== 'ACCOUNT' || isEnrolled(await readHeldFactors(context, owner.id)))
    refuse('UNPROCESSABLE', [errorAt('password', 'PASSWORD_NO_PROOF')]);
  const account = await findAccount(context, owner.id);
  if (account === null) throw new ApiError('UNAUTHORIZED');
  await provePassword(context, guard, account, 'password', () => isOwnPassword(account, verifyPortalUser, password));
}

function nameOf(proof: FactorProof): ProofName {
  if ('password' in proof) return 'password';
  if ('totp' in proof) return 'totp';
  return 'recoveryCode' in proof ? 'recoveryCode' : 'passkey';
}

type SecondFactorProof = Exclude<FactorProof, { password: string }>;

interface FactorParts {
  readonly keyRing: KeyRing;
  readonly siteOf: SiteOf;
}

/** Accepts a proof in the transaction of the act that it permits, and uses it up; returns false when it is not right, or was used meanwhile. */
type Accept = (tx: Context) => Promise<boolean>;

/** Prepares the acceptance of a proof by a second factor, for a session. Slow steps, and steps that must not be rolled back, happen here. */
async function prepareProof(
  context: Context,
  { keyRing, siteOf }: FactorParts,
  owner: SessionOwner,
  { proof, sessionId }: { readonly proof: SecondFactorProof; readonly sessionId: string },
): Promise<Accept> {
  if ('passkey' in proof) {
    const ceremony = { purpose: 'PROVE', sessionId } as const;
    const verified = await verifyAssertion(
      context,
      siteOf(owner.kind),
      ceremony,
      proof.passkey,
      ({ id }) => id === owner.id,
    );
    return (tx) => (verified === undefined ? Promise.resolve(false) : acceptAssertion(tx, verified));
  }
  if ('totp' in proof) return (tx) => acceptTotp(tx, keyRing, owner.id, proof.totp);
  const hash = recoveryCodeHash(proof.recoveryCode);
  return (tx) => (hash === undefined ? Promise.resolve(false) : useCode(tx, owner.id, hash));
}

async function acceptTotp(tx: Context, keyRing: KeyRing, ownerId: string, code: string): Promise<boolean> {
  const row = await findTotp(tx, ownerId);
  if (row?.confirmedAt == null) return false;
  const secret = Buffer.from(keyRing.open(sealedTotpSecret, row.secret), 'base64url');
  const step = matchTotp(secret, code, tx.clock.now(), row.lastStep);
  // The row decides: of two requests with one code, one finds its step used.
  return step !== undefined && useTotpStep(tx, ownerId, step);
}
