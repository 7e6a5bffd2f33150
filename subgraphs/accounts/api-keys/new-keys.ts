import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { KeyKind } from './key-kind.js';
import { newestKeys } from './api-key.store.js';

/** Maximum number of new keys of one kind of an account in an hour: each has a rate limit of its own, and stays in the database. */
export const maxNewKeys = 30;
const hourMs = 3_600_000;

/** The account must be locked. @throws {ApiError} TOO_MANY_REQUESTS for an account that has made as many keys in the last hour as it may */
export async function requireFewNewKeys(tx: Context, { table }: KeyKind, accountId: string): Promise<void> {
  const now = tx.clock.now().getTime();
  const made = await newestKeys(tx, table, accountId, { since: new Date(now - hourMs), limit: maxNewKeys });
  const oldest = made[maxNewKeys - 1];
  if (oldest === undefined) return;
  const message = `The account has ${String(maxNewKeys)} new keys of the last hour: create or rotate the next one later`;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + hourMs - now) / 1000));
  throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
}
