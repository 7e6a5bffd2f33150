import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse, ApiError, byRule, type BrokenRule } from '../../../shared/kernel/errors.js';
import { textErrors } from '../accounts/account.js';
import { type MailDesk, notifyOwner } from '../accounts/mail-desk.js';
import {
  addKey,
  countWorkingKeys,
  findWorkingPredecessor,
  lockKey,
  replaceKey,
  type KeyRow,
  type ListedKey,
  revoke,
  newestKeys,
} from './api-key.store.js';
import { keyHash, mintKey } from './key-form.js';
import type { KeyKind } from './key-kind.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { inTransaction, afterCommit } from '../../../shared/database/transaction.js';
import { newKeyMail, keyRotatedMail } from '../accounts/notices.mails.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { keyLifetimeMs, works } from './api-key.js';
import { newId, isUuid } from '../../../shared/kernel/ids.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';

export type CreatedKey = Pick<KeyRow, 'id' | 'prefix' | 'name' | 'scopes' | 'rateLimit' | 'createdAt' | 'expiresAt'> & {
  /** The whole key, shown only this once. */
  readonly key: string;
};

/** Creates a key that lives 365 days, and stores its SHA-256. The caller has checked whether it is allowed. */
export async function mintAccountKey(
  context: Context,
  { table, mark }: KeyKind,
  { accountId, name, scopes, rateLimit }: Pick<KeyRow, 'accountId' | 'name' | 'scopes' | 'rateLimit'>,
  minted = mintKey(mark),
): Promise<CreatedKey> {
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + keyLifetimeMs);
  const key = { id: newId(createdAt.getTime()), prefix: minted.prefix, name, scopes, rateLimit, createdAt, expiresAt };
  await addKey(context, table, { ...key, accountId, secretHash: keyHash(minted) });
  return { ...key, key: minted.text };
}

/**
 * Creates a key of a kind for the calling account, and notifies its owner by mail.
 * @throws {ApiError} BAD_REQUEST for an invalid name or scope, FORBIDDEN before the e-mail is confirmed, CONFLICT when the account has as many working keys as
 *   it may have, TOO_MANY_REQUESTS when it has made 30 in the last hour.
 */
export async function createKey(
  context: Context,
  kind: KeyKind,
  desk: MailDesk,
  input: { readonly name: string; readonly scopes?: readonly string[] },
): Promise<CreatedKey> {
  const isScoped = kind.scopes.length > 0;
  const { chosen: scopes, errors } = isScoped
    ? chosenNames('scopes', kind.scopes, input.scopes ?? [])
    : { chosen: [], errors: [] };
  refuse('BAD_REQUEST', [...textErrors('name', input.name), ...errors]);
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    if (account.confirmedAt === null) throw new ApiError('FORBIDDEN', byRule('EMAIL_UNCONFIRMED'));
    if ((await countWorkingKeys(tx, kind.table, account.id)) >= kind.maxWorking)
      throw new ApiError('CONFLICT', byRule('KEYS_FULL', { max: kind.maxWorking }));
    await requireFewNewKeys(tx, kind, account.id);
    const name = identifyingText(input.name);
    const key = await mintAccountKey(tx, kind, { accountId: account.id, name, scopes, rateLimit: null });
    await notifyOwner(tx, desk, account, 'ACCESS', newKeyMail(account, key));
    const { id, prefix, expiresAt } = key;
    const subject = { type: kind.subject, id };
    await recordAudit(tx, { action: kind.created, subject, after: { prefix, expiresAt, ...(isScoped && { scopes }) } });
    return key;
  });
}

const maxGraceDays = 30;
const dayMs = 86_400_000;

interface RotationParts {
  readonly kind: KeyKind;
  readonly desk: MailDesk;
  readonly forgetKey: (prefix: string) => void;
}

/** Input of a rotation: a grace period of 0 revokes the old key at once. */
interface RotationInput {
  readonly id: string;
  readonly graceDays: number;
}

type ReplacedKey = ListedKey & { readonly replacedBy: string };

/**
 * Replaces a key of the calling account by a new one, with its name, scopes and limit. The old one works until the end of the grace period, but never
 * longer than before. At most one key before it works beside a key, so that the keys in grace periods stay bounded.
 * @throws {ApiError} BAD_REQUEST for a grace period out of bounds, NOT_FOUND for a key that is not the caller's, CONFLICT for one that does not work, that was
 *   rotated already, or whose own predecessor still works; TOO_MANY_REQUESTS for an account that has made 30 keys of the kind in the last hour.
 */
export async function rotateKey(
  context: Context,
  { kind, desk, forgetKey }: RotationParts,
  { id, graceDays }: RotationInput,
): Promise<{ readonly newKey: CreatedKey; readonly oldKey: ReplacedKey }> {
  requireBounds({ name: 'graceDays', value: graceDays, min: 0, max: maxGraceDays });
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    const old = isUuid(id) ? await lockKey(tx, kind.table, account.id, id) : undefined;
    if (old === undefined) throw new ApiError('NOT_FOUND', { message: 'The account has no such key' });
    const moment = tx.clock.now();
    await requireRotatable(tx, kind, old, moment);
    await requireFewNewKeys(tx, kind, account.id);
    const newKey = await mintAccountKey(tx, kind, { ...old, accountId: account.id });
    const end = new Date(Math.min(old.expiresAt.getTime(), moment.getTime() + graceDays * dayMs));
    const oldKey =
      graceDays === 0
        ? { ...old, revokedAt: moment, replacedBy: newKey.id }
        : { ...old, expiresAt: end, replacedBy: newKey.id };
    await replaceKey(tx, kind.table, oldKey);
    await notifyOwner(tx, desk, account, 'ACCESS', keyRotatedMail(account, { oldKey, newKey, moment }));
    const { prefix, expiresAt } = newKey;
    await recordAudit(tx, {
      action: kind.rotated,
      subject: { type: kind.subject, id },
      before: { prefix: old.prefix, expiresAt: old.expiresAt },
      after: {
        prefix: old.prefix,
        expiresAt: oldKey.expiresAt,
        graceDays,
        replacedBy: { id: newKey.id, prefix, expiresAt },
      },
    });
    afterCommit(tx, () => forgetKey(old.prefix));
    return { newKey, oldKey };
  });
}

async function requireRotatable(tx: Context, { table }: KeyKind, old: ListedKey, moment: Date): Promise<void> {
  const conflict = (broken: BrokenRule) => new ApiError('CONFLICT', broken);
  if (old.replacedBy !== null) throw conflict(byRule('KEY_ROTATED'));
  if (!works(old, moment)) throw conflict(byRule('KEY_ENDED'));
  const before = await findWorkingPredecessor(tx, table, old.id);
  if (before !== undefined) throw conflict(byRule('KEY_BEFORE_WORKS', { prefix: before }));
}

/** Revokes permanently; a repetition is no error. @throws {ApiError} NOT_FOUND for a key that does not exist or belongs to someone else */
export async function revokeKey(
  context: Context,
  { table, subject, revoked }: KeyKind,
  forgetKey: (prefix: string) => void,
  id: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const prefix = isUuid(id) ? await revoke(tx, table, tx.principal.ownerId, id) : undefined;
    if (prefix === undefined) throw new ApiError('NOT_FOUND', { message: 'The account has no such key' });
    await recordAudit(tx, { action: revoked, subject: { type: subject, id }, after: { prefix } });
    afterCommit(tx, () => forgetKey(prefix));
  });
}

/** Maximum number of new keys of one kind of an account in an hour: each has a rate limit of its own, and stays in the database. */
const maxNewKeys = 30;
const hourMs = 3_600_000;

/** The account must be locked. @throws {ApiError} TOO_MANY_REQUESTS for an account that has made as many keys in the last hour as it may */
async function requireFewNewKeys(tx: Context, { table }: KeyKind, accountId: string): Promise<void> {
  const now = tx.clock.now().getTime();
  const made = await newestKeys(tx, table, accountId, { since: new Date(now - hourMs), limit: maxNewKeys });
  const oldest = made[maxNewKeys - 1];
  if (oldest === undefined) return;
  const message = `The account has ${String(maxNewKeys)} new keys of the last hour: create or rotate the next one later`;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + hourMs - now) / 1000));
  throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
}
