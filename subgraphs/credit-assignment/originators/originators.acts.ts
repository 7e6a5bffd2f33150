import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { refuse, ApiError, requireFound, byRule } from '../../../shared/kernel/errors.js';
import { originatorErrors, type OriginatorInput, maxLiveKeys } from './originator.js';
import { lockOriginator, saveOriginator, type OriginatorRow, insertOriginator } from './originator.store.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { asOriginator } from './acting-originator.js';
import {
  countLiveKeys,
  findKey,
  findKeyById,
  revokeKey,
  type OriginatorKeyRow,
  insertKey,
  addPermit,
  deletePermit,
} from './originator-key.store.js';
import { readPublicKey, type PublicKey } from './public-key.js';
import { requireEstate } from '../estates/estate.store.js';

/** Undefined fields stay. Requests of a suspended client are rejected. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function changeOriginator(
  context: Context,
  forgetClient: (id: string) => void,
  originatorId: string,
  { name, rateLimit, status, accountId }: OriginatorInput,
): Promise<OriginatorRow> {
  refuse('BAD_REQUEST', originatorErrors({ name, rateLimit, status, accountId }));
  return inTransaction(context, async (tx) => {
    const row = await lockOriginator(tx, originatorId);
    const isSameAccount = accountId === undefined || accountId === row.accountId;
    const changed = {
      ...row,
      name: name == null ? row.name : identifyingText(name),
      rateLimit: rateLimit === undefined ? row.rateLimit : rateLimit,
      status: status ?? row.status,
      accountId: accountId === undefined ? row.accountId : accountId,
      // The permission of an operator is for one account, and does not pass to another.
      accountMaySend: isSameAccount && row.accountMaySend,
    };
    await saveOriginator(tx, changed);
    const subject = { type: 'originator', id: row.id };
    await recordAudit(tx, { action: 'changeOriginator', subject, before: row, after: changed });
    afterCommit(tx, () => forgetClient(row.id));
    return changed;
  });
}

/** Drops a client from the cache, so that its next request reads its keys again. */
type ForgetClient = (id: string) => void;

/**
 * Registers a signing key for a client of the caller's account, whom an operator permitted to send for it; the account is notified by mail. The same key
 * again yields the same result.
 * @param originatorId as for `asOriginator`
 * @param publicKey in PEM
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND, FORBIDDEN without the permission, CONFLICT as `addOriginatorKey`
 */
export async function addOwnKey(
  context: Context,
  forgetClient: ForgetClient,
  { originatorId, publicKey }: { readonly originatorId: string | null; readonly publicKey: string },
): Promise<OriginatorKeyRow> {
  const key = readPublicKey(publicKey);
  requirePerson(context);
  return inTransaction(context, async (tx) => {
    const originator = await lockOwn(tx, originatorId);
    const known = await findKey(tx, key);
    const added = await registerKey(tx, originator.id, key);
    if (known !== undefined) return added;
    const after = { keyId: added.id, fingerprint: added.fingerprint.toString('hex') };
    await recordAudit(tx, { action: 'addMyOriginatorKey', subject: { type: 'originator', id: originator.id }, after });
    await tell(tx, originator, { change: 'ADDED', key: added });
    afterCommit(tx, () => forgetClient(originator.id));
    return added;
  });
}

/** Revokes a key for good; the account is notified by mail; a repetition is no error. @param withoutSuccessor allows the last one @throws {ApiError} NOT_FOUND, FORBIDDEN, CONFLICT for the last valid key */
export async function revokeOwnKey(
  context: Context,
  forgetClient: ForgetClient,
  { id, withoutSuccessor }: { readonly id: string; readonly withoutSuccessor: boolean },
): Promise<OriginatorKeyRow> {
  // Before the look-up, so that the response does not reveal whether the key exists.
  requirePerson(context);
  return inTransaction(context, async (tx) => {
    const found = requireFound(isUuid(id) ? await findKeyById(tx, id) : undefined, 'There is no such key');
    const originator = await lockOwn(tx, found.originatorId, 'There is no such key');
    // Read again under the lock: somebody else may have revoked it.
    const key = requireFound(await findKeyById(tx, id), 'There is no such key');
    if (key.revokedAt !== null) return key;
    if (!withoutSuccessor && (await countLiveKeys(tx, originator.id)) === 1)
      throw new ApiError('CONFLICT', {
        message:
          'It is the last valid key of the client: register its successor first, or confirm by `withoutSuccessor: true` that no signed request is to be accepted',
      });
    await revokeKey(tx, id);
    const subject = { type: 'originator', id: originator.id };
    const [before, after] = [{ keyId: id }, { keyId: id, revoked: true, withoutSuccessor }];
    await recordAudit(tx, { action: 'revokeMyOriginatorKey', subject, before, after });
    await tell(tx, originator, { change: 'REVOKED', key });
    afterCommit(tx, () => forgetClient(originator.id));
    return { ...key, revokedAt: tx.clock.now() };
  });
}

/** @throws {ApiError} FORBIDDEN for a signed request */
function requirePerson({ principal }: Context): void {
  if (principal.kind === 'SESSION') return;
  throw new ApiError('FORBIDDEN', {
    message:
      'Keys are changed by a person of the account, in the session of a browser: a signed request could replace the key that signed it',
  });
}

/** Locks one of the caller's account. @throws {ApiError} NOT_FOUND for one that the caller does not see; FORBIDDEN where its account may not send for it */
async function lockOwn(tx: Context, originatorId: string | null, missing?: string): Promise<OriginatorRow> {
  const client = await asOriginator(tx, originatorId).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 && missing !== undefined
      ? new ApiError('NOT_FOUND', { message: missing })
      : error;
  });
  const originator = await lockOriginator(tx, client.principal.ownerId);
  if (originator.accountMaySend && originator.status === 'ACTIVE' && originator.accountId === tx.principal.ownerId)
    return originator;
  throw new ApiError('FORBIDDEN', {
    message:
      'This account may not send for the client, and therefore not change its keys. Ask the operator for the permission',
  });
}

/** Announces a change of keys, about which accounts mails the owner of the account. */
async function tell(
  tx: Context,
  { accountId, name }: OriginatorRow,
  { change, key }: { readonly change: 'ADDED' | 'REVOKED'; readonly key: OriginatorKeyRow },
): Promise<void> {
  const data = { client: name, change, fingerprint: key.fingerprint.toString('hex'), at: tx.clock.now().toISOString() };
  await announce(tx, {
    topic: 'originator_key.changed',
    key: key.id,
    payload: { ownerId: accountId, data },
    internal: true,
  });
}

interface NewOriginator {
  readonly name: string;
  /** In PEM. */
  readonly publicKey: string;
  readonly rateLimit: number | null;
  readonly accountId: string | null;
}

/** Adds an originator, who can sign with the key at once. @throws {ApiError} BAD_REQUEST, CONFLICT for a key that another client has */
export async function addOriginator(
  context: Context,
  { name, publicKey, rateLimit, accountId }: NewOriginator,
): Promise<OriginatorRow> {
  refuse('BAD_REQUEST', originatorErrors({ name, rateLimit, accountId }));
  const key = readPublicKey(publicKey);
  return inTransaction(context, async (tx) => {
    const now = tx.clock.now();
    const row = {
      id: newId(now.getTime()),
      name: identifyingText(name),
      rateLimit,
      accountId,
      accountMaySend: false,
      status: 'ACTIVE',
      createdAt: now,
    } as const;
    await insertOriginator(tx, row);
    const { id: keyId, fingerprint } = await registerKey(tx, row.id, key);
    const after = { ...row, keyId, fingerprint: fingerprint.toString('hex') };
    await recordAudit(tx, { action: 'addOriginator', subject: { type: 'originator', id: row.id }, after });
    return row;
  });
}

/** The same key again yields the same result. @param publicKey in PEM @throws {ApiError} BAD_REQUEST, NOT_FOUND, CONFLICT for a key that was revoked, is another client's, or one too many */
export async function addOriginatorKey(
  context: Context,
  forgetClient: (id: string) => void,
  originatorId: string,
  publicKey: string,
): Promise<OriginatorKeyRow> {
  const key = readPublicKey(publicKey);
  return inTransaction(context, async (tx) => {
    const { id } = await lockOriginator(tx, originatorId);
    const added = await registerKey(tx, id, key);
    const after = { keyId: added.id, fingerprint: added.fingerprint.toString('hex') };
    await recordAudit(tx, { action: 'addOriginatorKey', subject: { type: 'originator', id }, after });
    afterCommit(tx, () => forgetClient(id));
    return added;
  });
}

/** Registers a key for a client that is locked, or new. @throws {ApiError} CONFLICT. */
async function registerKey(tx: Context, originatorId: string, key: PublicKey): Promise<OriginatorKeyRow> {
  const known = await findKey(tx, key);
  if (known === undefined && (await countLiveKeys(tx, originatorId)) >= maxLiveKeys)
    throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEYS_FULL', { max: maxLiveKeys }));
  // Someone else may have registered it in the meantime.
  const row =
    known ?? (await insertKey(tx, newId(tx.clock.now().getTime()), originatorId, key)) ?? (await findKey(tx, key));
  if (row === undefined) throw new Error('The key neither exists nor could it be added');
  if (row.originatorId !== originatorId) throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEY_TAKEN'));
  if (row.revokedAt !== null) throw new ApiError('CONFLICT', byRule('ORIGINATOR_KEY_REVOKED'));
  return row;
}

/** Revokes a key for good; a repetition changes nothing and is no error. @throws {ApiError} NOT_FOUND */
export async function revokeOriginatorKey(
  context: Context,
  forgetClient: (id: string) => void,
  id: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const originatorId = requireFound(isUuid(id) ? await revokeKey(tx, id) : undefined, 'There is no such key');
    const subject = { type: 'originator', id: originatorId };
    await recordAudit(tx, {
      action: 'revokeOriginatorKey',
      subject,
      before: { keyId: id },
      after: { keyId: id, revoked: true },
    });
    afterCommit(tx, () => forgetClient(originatorId));
  });
}

/** A repetition changes nothing. @throws {ApiError} NOT_FOUND for an originator or an estate that does not exist */
export async function permitOriginator(
  context: Context,
  originatorId: string,
  patrimonyId: string,
): Promise<OriginatorRow> {
  return inTransaction(context, async (tx) => {
    const originator = await lockOriginator(tx, originatorId);
    const estate = await requireEstate(tx, patrimonyId);
    await addPermit(tx, { originatorId: originator.id, patrimonyId: estate.id });
    return originator;
  });
}

/** Its batches that are not decided yet will be rejected. Returns whether there was a permit. @throws {ApiError} as `permitOriginator` */
export async function withdrawPermit(context: Context, originatorId: string, patrimonyId: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const originator = await lockOriginator(tx, originatorId);
    const estate = await requireEstate(tx, patrimonyId);
    return deletePermit(tx, { originatorId: originator.id, patrimonyId: estate.id });
  });
}

/** Permits people of the linked account to send for a client, or withdraws that. @throws {ApiError} NOT_FOUND, UNPROCESSABLE for a client without an account */
export async function permitAccountToSend(
  context: Context,
  originatorId: string,
  accountMaySend: boolean,
): Promise<OriginatorRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockOriginator(tx, originatorId);
    if (accountMaySend && row.accountId === null)
      throw new ApiError('UNPROCESSABLE', byRule('ORIGINATOR_WITHOUT_ACCOUNT'));
    const changed = { ...row, accountMaySend };
    await saveOriginator(tx, changed);
    const subject = { type: 'originator', id: row.id };
    await recordAudit(tx, { action: 'permitAccountToSend', subject, before: row, after: changed });
    return changed;
  });
}
