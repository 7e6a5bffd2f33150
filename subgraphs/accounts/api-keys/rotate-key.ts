import { recordAudit } from '../../../shared/security/audit/record.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule, type BrokenRule } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { keyRotatedMail } from '../accounts/notices.mails.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { works } from './api-key.js';
import type { KeyKind } from './key-kind.js';
import { requireFewNewKeys } from './new-keys.js';
import { findWorkingPredecessor, lockKey, replaceKey, type RotatedKeyRow } from './api-key.store.js';

export const maxGraceDays = 30;
const dayMs = 86_400_000;

export interface RotationParts {
  readonly kind: KeyKind;
  readonly desk: MailDesk;
  readonly forgetKey: (prefix: string) => void;
}

/** What the caller asks for: a grace period of 0 revokes the old key at once. */
export interface RotationInput {
  readonly id: string;
  readonly graceDays: number;
}

export type ReplacedKey = RotatedKeyRow & { readonly replacedBy: string };

/**
 * Replaces a key of the calling account by a new one, with its name, scopes and limit. The old one works until the end of the grace period, but never
 * longer than before. At most one key before it works beside a key, so that the keys in grace periods stay bounded.
 * @param mint stores the new key
 * @throws {ApiError} BAD_REQUEST for a grace period out of bounds, NOT_FOUND for a key that is not the caller's, CONFLICT for one that does not work, that was
 *   rotated already, or whose own predecessor still works; TOO_MANY_REQUESTS for an account that has made 30 keys of the kind in the last hour.
 */
export async function rotateKey<Key extends { readonly id: string; readonly prefix: string; readonly expiresAt: Date }>(
  context: Context,
  { kind, desk, forgetKey }: RotationParts,
  { id, graceDays }: RotationInput,
  mint: (tx: Context, old: RotatedKeyRow) => Promise<Key>,
): Promise<{ readonly newKey: Key; readonly oldKey: ReplacedKey }> {
  requireBounds({ name: 'graceDays', value: graceDays, min: 0, max: maxGraceDays });
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    const old = isUuid(id) ? await lockKey(tx, kind.table, account.id, id) : undefined;
    if (old === undefined) throw new ApiError('NOT_FOUND', { message: 'The account has no such key' });
    const moment = tx.clock.now();
    await requireRotatable(tx, kind, old, moment);
    await requireFewNewKeys(tx, kind, account.id);
    const newKey = await mint(tx, old);
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

async function requireRotatable(tx: Context, { table }: KeyKind, old: RotatedKeyRow, moment: Date): Promise<void> {
  const conflict = (broken: BrokenRule) => new ApiError('CONFLICT', broken);
  if (old.replacedBy !== null) throw conflict(byRule('KEY_ROTATED'));
  if (!works(old, moment)) throw conflict(byRule('KEY_ENDED'));
  const before = await findWorkingPredecessor(tx, table, old.id);
  if (before !== undefined) throw conflict(byRule('KEY_BEFORE_WORKS', { prefix: before }));
}
