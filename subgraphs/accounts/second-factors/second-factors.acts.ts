import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { sessionIdOf, sessionOwnerOf, type OwnerKind } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, unless, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { identifyingText, isName } from '../../../shared/kernel/identifying-text.js';
import { newId, isUuid } from '../../../shared/kernel/ids.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { lockAccount } from '../accounts/account.store.js';
import { endSessions } from '../sessions/session.store.js';
import { addFactor, type ChangeParts, type FactorChange, removeFactor } from './change-factors.js';
import {
  passkeyAddedMail,
  passkeyRemovedMail,
  factorsResetMail,
  totpAddedMail,
  totpRemovedMail,
  notifyFactorOwner,
  type NoticeParts,
} from './factor.mails.js';
import {
  findOwnerKind,
  lockFactors,
  readHeldFactors,
  removeFactorsOf,
  confirmTotpRow,
  deleteTotp,
  findTotp,
  startTotp,
  insertPasskey,
  listPasskeys,
  maxPasskeys,
  deletePasskey,
} from './factor.store.js';
import { verifyRegistration, type CreatedPasskey } from './passkey-ceremonies.js';
import type { SiteOf } from './relying-party.js';
import { matchTotp, newTotpSecret, totpAddress, totpText, sealedTotpSecret } from './totp.js';

const encoded = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);
const registration = z.object({
  id: encoded(1_400),
  rawId: encoded(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded(4_000),
    attestationObject: encoded(16_000),
    transports: z.array(z.string().max(50)).max(10).exactOptional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});

function registrationOf(text: string): RegistrationResponseJSON | undefined {
  try {
    const { response, ...rest } = registration.parse(JSON.parse(text));
    const { transports, ...signed } = response;
    // Transports that the library does not know are left out when the passkey is stored.
    return { ...rest, response: { ...signed, ...(transports && { transports: transports }) } };
  } catch {
    return undefined;
  }
}

/**
 * Adds a passkey that the browser has created for the calling session, and returns recovery codes if it is the first factor.
 * @param credential the browser's `PublicKeyCredential` as JSON
 * @throws {ApiError} BAD_REQUEST for the name or a text that is no such JSON; UNPROCESSABLE for one that is not valid, or whose challenge has expired or was
 *   used; CONFLICT for a passkey that is registered already, and for the 21st
 */
export async function addPasskey(
  context: Context,
  parts: ChangeParts & { readonly siteOf: SiteOf },
  { name, credential }: { readonly name: string; readonly credential: string },
): Promise<readonly string[]> {
  const response = registrationOf(credential);
  refuse('BAD_REQUEST', [
    ...unless(isName(name, 100), errorAt('name', 'PRINTABLE_LENGTH', { min: 1, max: 100 })),
    ...unless(response !== undefined, errorAt('credential', 'PASSKEY_FORM')),
  ]);
  if (response === undefined) throw new ApiError('BAD_REQUEST');
  const site = parts.siteOf(sessionOwnerOf(context.principal).kind);
  const created = await verifyRegistration(context, site, sessionIdOf(context.principal), response);
  if (created === undefined)
    throw new ApiError('UNPROCESSABLE', {
      details: [errorAt('credential', 'PASSKEY_WRONG')],
    });
  const change: FactorChange = { action: 'addPasskey', mail: passkeyAddedMail };
  return addFactor(context, parts, change, async (tx, owner) => {
    await requireRoom(tx, owner.id);
    const shown = identifyingText(name);
    await insert(tx, owner, created, shown);
    return { name: shown };
  });
}

async function requireRoom(tx: Context, ownerId: string): Promise<void> {
  if ((await listPasskeys(tx, ownerId)).length >= maxPasskeys)
    throw new ApiError('CONFLICT', byRule('PASSKEYS_FULL', { max: maxPasskeys }));
}

async function insert(
  tx: Context,
  owner: Parameters<typeof insertPasskey>[1],
  created: CreatedPasskey,
  name: string,
): Promise<void> {
  const id = newId(tx.clock.now().getTime());
  if (!(await insertPasskey(tx, owner, { ...created, id, name })))
    throw new ApiError('CONFLICT', byRule('PASSKEY_EXISTS'));
}

/** Removes a passkey of the caller. @throws {ApiError} NOT_FOUND, and CONFLICT for the last factor of an owner who must have one */
export async function removePasskey(
  context: Context,
  parts: ChangeParts,
  { id, isRequired }: { readonly id: string; readonly isRequired: boolean },
): Promise<void> {
  const change: FactorChange = { action: 'removePasskey', mail: passkeyRemovedMail };
  await removeFactor(context, parts, change, {
    isRequired,
    remove: async (tx, owner) => {
      const name = isUuid(id) ? await deletePasskey(tx, owner.id, id) : undefined;
      if (name === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such passkey' });
      return { name };
    },
  });
}

export interface ResetFactorsParts extends NoticeParts {
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/** Serves operators for somebody who has lost them; ends the owner's sessions. @throws {ApiError} BAD_REQUEST for the reason; NOT_FOUND for an id without second factors */
export async function resetFactors(
  context: Context,
  parts: ResetFactorsParts,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<void> {
  const text = requireReason(reason);
  await inTransaction(context, async (tx) => {
    const kind = await lockOwner(tx, id);
    const { passkeys, totp, codes } = await readHeldFactors(tx, id);
    if (passkeys === 0 && !totp) throw missing(id);
    await removeFactorsOf(tx, [id]);
    const ended = await endSessions(tx, id, 'OPERATOR');
    await recordAudit(tx, {
      action: 'resetSecondFactors',
      subject: { type: kind.toLowerCase(), id },
      before: { passkeys, totp, recoveryCodes: codes },
      after: { endedSessions: ended.length },
      reason: text,
    });
    await notifyFactorOwner(tx, parts, { kind, id }, factorsResetMail);
    afterCommit(tx, () => parts.forgetSessions(ended));
  });
}

/** Ends all sessions of an account, or the browser sessions of an operator or credential, on request of an operator; returns their number. @throws {ApiError} NOT_FOUND for an id that has no sessions */
export async function endSessionsOf(
  context: Context,
  { forgetSessions }: ResetFactorsParts,
  id: string,
): Promise<number> {
  return inTransaction(context, async (tx) => {
    const kind = await lockOwner(tx, id);
    const ended = await endSessions(tx, id, 'OPERATOR');
    const subject = { type: kind.toLowerCase(), id };
    await recordAudit(tx, { action: 'endSessionsOf', subject, after: { ended: ended.length } });
    afterCommit(tx, () => forgetSessions(ended));
    return ended.length;
  });
}

/** Locks the owner of sessions and factors until the end of the transaction, and returns its kind. @throws {ApiError} NOT_FOUND */
async function lockOwner(tx: Context, id: string): Promise<OwnerKind> {
  const kind = isUuid(id) ? await findOwnerKind(tx, id) : undefined;
  if (kind === undefined) throw missing(id);
  if (kind === 'ACCOUNT') await lockAccount(tx, id);
  await lockFactors(tx, id);
  return kind;
}

function missing(id: string): ApiError {
  return new ApiError('NOT_FOUND', { message: `There are neither sessions nor second factors of ${id}` });
}

export interface TotpParts extends ChangeParts {
  readonly keyRing: KeyRing;
}

/** Returns the secret in base32, as a person types it, and the address that a QR code holds. Replaces one that was not confirmed; counts once `confirmTotp` has proved it. @param account the name that the application shows @throws {ApiError} CONFLICT when one is confirmed */
export async function beginTotp(context: Context, { keyRing }: TotpParts, account: string) {
  const secret = newTotpSecret();
  const sealed = keyRing.seal(sealedTotpSecret, secret.toString('base64url'));
  const owner = sessionOwnerOf(context.principal);
  const started = await inTransaction(context, async (tx) => {
    await lockFactors(tx, owner.id);
    return startTotp(tx, owner, sealed);
  });
  if (!started) throw new ApiError('CONFLICT', byRule('TOTP_EXISTS'));
  return { secret: totpText(secret), address: totpAddress(secret, account) };
}

/** Returns recovery codes if it is the first factor. @throws {ApiError} UNPROCESSABLE for a wrong code, or without an application that waits for one */
export async function confirmTotp(context: Context, parts: TotpParts, code: string): Promise<readonly string[]> {
  return addFactor(context, parts, { action: 'confirmTotp', mail: totpAddedMail }, async (tx, owner) => {
    const row = await findTotp(tx, owner.id);
    const waits = row?.confirmedAt === null;
    const secret = waits ? Buffer.from(parts.keyRing.open(sealedTotpSecret, row.secret), 'base64url') : undefined;
    const step = secret && matchTotp(secret, code, tx.clock.now(), 0);
    if (step === undefined || !(await confirmTotpRow(tx, owner.id, step)))
      refuse('UNPROCESSABLE', [errorAt('code', waits ? 'TOTP_WRONG' : 'TOTP_NOT_BEGUN')]);
    return {};
  });
}

/** Removes the authenticator application of the caller. @throws {ApiError} NOT_FOUND, and CONFLICT for the last factor of an owner who must have one */
export async function removeTotp(context: Context, parts: TotpParts, isRequired: boolean): Promise<void> {
  await removeFactor(
    context,
    parts,
    { action: 'removeTotp', mail: totpRemovedMail },
    {
      isRequired,
      remove: async (tx, owner) => {
        if (!(await deleteTotp(tx, owner.id)))
          throw new ApiError('NOT_FOUND', { message: 'There is no authenticator application' });
        return {};
      },
    },
  );
}
