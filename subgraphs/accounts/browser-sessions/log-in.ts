import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { noteAudit, recordAudit } from '../../../shared/security/audit/record.js';
import type {
  FirstFactor,
  HeldCookies,
  RenewedSession,
  SessionOwner,
} from '../../../shared/security/browser-session.js';
import type { CallOrigin, Context, Principal } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { findAccount } from '../accounts/account.store.js';
import { provenAccount, type PasswordParts } from '../accounts/login.js';
import { isEnrolled, readHeldFactors, lockFactors } from '../second-factors/factor.store.js';
import { acceptAssertion, verifyAssertion } from '../second-factors/passkey-ceremonies.js';
import type { SiteOf } from '../second-factors/relying-party.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { AccountRow } from '../accounts/account.entity.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { lockLoggedIn, noteOrigin } from '../sessions/open-session.js';
import { originOf } from '../sessions/session-origin.js';
import { endOldest } from '../sessions/session.store.js';
import { addBrowserSession, endByCookie } from './browser-session.store.js';
import { mintToken } from '../tokens/one-time-token.js';
import { absoluteMs, cookieHash, idleSeconds, subjectsOf, type Devices } from './browser-session.js';

export interface BrowserLoginParts extends OpenParts, PasswordParts {
  readonly devices: Devices;
  readonly siteOf: SiteOf;
  /** Authenticates an operator by a key; undefined when it is none of an operator's. */
  readonly authenticateOperator: (key: string, origin: CallOrigin) => Promise<Principal | undefined>;
  /** Verifies a trading credential. @throws {ApiError} INVALID_CREDENTIALS */
  readonly proveTrader: (
    context: Context,
    pair: { readonly apiKey: string; readonly secretKey: string },
  ) => Promise<{ readonly id: string; readonly companyId: string }>;
}

/**
 * Opens a session for somebody who shows a first factor. The session itself requires a second one, if due.
 * @param held the cookies that the browser has; its session ends
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED or INVALID_CREDENTIALS, FORBIDDEN for a disabled account, TOO_MANY_REQUESTS, UNAVAILABLE
 */
export async function logIn(
  context: Context,
  parts: BrowserLoginParts,
  first: FirstFactor,
  held: HeldCookies,
): Promise<RenewedSession> {
  const logged = await loggedIn(context, parts, first, held.device);
  const renewed = await openBrowserSession(context, parts, { ...logged, previous: held.session });
  // Whoever knows only the password is not known yet.
  if (logged.factor !== 'PASSKEY' && isEnrolled(await readHeldFactors(context, logged.owner.id))) return renewed;
  return { ...renewed, device: parts.devices.remember(held.device, subjectsOf(logged.owner.id, logged.account)) };
}

async function loggedIn(
  context: Context,
  parts: BrowserLoginParts,
  first: FirstFactor,
  device: string | undefined,
): Promise<LoggedIn> {
  if ('email' in first) {
    const account = await provenAccount(context, parts, first, parts.devices.clientOf(device, first.email));
    return { ...ofAccount(account.id), account, factor: 'PASSWORD' };
  }
  if ('passkey' in first) return byPasskey(context, parts, first.passkey);
  if ('operatorKey' in first) {
    const operator = await parts.authenticateOperator(first.operatorKey, context);
    if (operator?.kind !== 'OPERATOR')
      throw new ApiError('UNAUTHORIZED', { message: 'The key is not that of an operator' });
    const { id, ownerId } = operator;
    return { owner: { kind: 'OPERATOR', id: ownerId }, operatorKeyId: id, actor: operator, factor: 'KEY' };
  }
  const { id, companyId } = await parts.proveTrader(context, first);
  return { owner: { kind: 'TRADER', id }, actor: { kind: 'TRADER', ownerId: companyId }, factor: 'KEY' };
}

/** A passkey is enough to log an account in: it is something that its owner has, and the authenticator verified the person. */
async function byPasskey(
  context: Context,
  { siteOf }: BrowserLoginParts,
  response: AuthenticationResponseJSON,
): Promise<LoggedIn> {
  const ceremony = { purpose: 'LOGIN', sessionId: null } as const;
  const verified = await verifyAssertion(
    context,
    siteOf('ACCOUNT'),
    ceremony,
    response,
    ({ kind }) => kind === 'ACCOUNT',
  );
  const account = verified && (await findAccount(context, verified.passkey.ownerId));
  if (verified === undefined || account == null) throw refused(context, 'the passkey or its challenge is not valid');
  return {
    ...ofAccount(account.id),
    account,
    factor: 'PASSKEY',
    accept: async (tx) => {
      if (!(await acceptAssertion(tx, verified))) throw refused(context, 'the counter of the passkey has not grown');
    },
  };
}

function ofAccount(id: string): Pick<LoggedIn, 'owner' | 'actor'> {
  return { owner: { kind: 'ACCOUNT', id }, actor: { kind: 'SESSION', ownerId: id } };
}

function refused(context: Context, why: string): ApiError {
  noteAudit(context, { action: 'browserLogin', outcome: 'REFUSED', reason: `UNAUTHORIZED: ${why}` });
  return new ApiError('UNAUTHORIZED', { message: 'The passkey was not accepted: begin again, or log in another way' });
}

interface OpenParts {
  readonly desk: MailDesk;
  readonly forgetSessions: (ids: readonly string[]) => void;
}

interface LoggedIn {
  readonly owner: SessionOwner;
  /** The account, as read when it was authenticated; undefined for an operator or a trading credential. */
  readonly account?: AccountRow;
  readonly operatorKeyId?: string;
  readonly actor: Pick<Principal, 'kind' | 'ownerId' | 'name'>;
  readonly factor: 'PASSWORD' | 'KEY' | 'PASSKEY';
  /** Accepts the proof in the transaction of the log-in. @throws {ApiError} when it was used meanwhile */
  readonly accept?: (tx: Context) => Promise<void>;
  /** The cookie that the browser had before; its session ends. */
  readonly previous?: string | undefined;
}

/** Ends the oldest of more than fifty. @throws {ApiError} UNAUTHORIZED when the password was changed, or the account deleted, meanwhile; FORBIDDEN when it is disabled */
async function openBrowserSession(
  context: Context,
  { desk, forgetSessions }: OpenParts,
  { owner, account, operatorKeyId, actor, factor, accept, previous }: LoggedIn,
): Promise<RenewedSession> {
  const cookie = mintToken();
  const endsAt = await inTransaction(context, async (tx) => {
    const current = account === undefined ? undefined : await lockLoggedIn(tx, 'browserLogin', account);
    if (current === undefined) await lockFactors(tx, owner.id);
    await accept?.(tx);
    const now = tx.clock.now();
    const row = {
      id: newId(now.getTime()),
      owner,
      operatorKeyId: operatorKeyId ?? null,
      ...originOf(tx),
      cookieHash: sha256(cookie),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + absoluteMs),
      idleSeconds: idleSeconds[owner.kind],
      provedAt: now,
      secondFactorAt: factor === 'PASSKEY' ? now : null,
    };
    await addBrowserSession(tx, row);
    const replaced = await endPrevious(tx, previous);
    const displaced = await endOldest(tx, owner.id);
    if (current !== undefined) await noteOrigin(tx, desk, current, row);
    await recordAudit(tx, {
      action: 'browserLogin',
      subject: { type: 'session', id: row.id },
      actor: { ...actor, id: operatorKeyId ?? row.id },
      after: { owner, factor },
    });
    afterCommit(tx, () => forgetSessions([...replaced, ...displaced]));
    return row.expiresAt;
  });
  return { cookie, endsAt };
}

async function endPrevious(tx: Context, cookie: string | undefined): Promise<string[]> {
  const hash = cookie === undefined ? undefined : cookieHash(cookie);
  const id = hash && (await endByCookie(tx, hash));
  return id === undefined ? [] : [id];
}
