import { IsNull, MoreThan } from 'typeorm';
import type { Context } from '../../../shared/context.js';
import { ApiKeyRow } from './api-key.entity.js';

/** Most keys that a list shows. Keys that still work come first, so that none of them can be missing. */
export const maxListedKeys = 200;

/** The keys of an account: those that are not revoked first, then the newest. */
export function listKeys(context: Context, accountId: string): Promise<ApiKeyRow[]> {
  return context.manager.find(ApiKeyRow, {
    where: { accountId },
    order: { revokedAt: { direction: 'DESC', nulls: 'FIRST' }, createdAt: 'DESC', id: 'DESC' },
    take: maxListedKeys,
  });
}

/** How many keys of an account are ACTIVE and not expired. */
export function countWorkingKeys(context: Context, accountId: string): Promise<number> {
  return context.manager.countBy(ApiKeyRow, {
    accountId,
    revokedAt: IsNull(),
    expiresAt: MoreThan(context.clock.now()),
  });
}

export async function addKey(
  context: Context,
  key: Omit<ApiKeyRow, 'requestCount' | 'lastUsedAt' | 'revokedAt'>,
): Promise<void> {
  await context.manager.insert(ApiKeyRow, key);
}

/** Revokes a key of an account; the first moment stays. Answers its prefix, or undefined when the account has no such key. */
export async function revoke(context: Context, accountId: string, id: string): Promise<string | undefined> {
  const [[row]] = await context.manager.query<[{ prefix: string }[], number]>(
    'UPDATE accounts.api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $2 AND account_id = $1 RETURNING prefix',
    [accountId, id, context.clock.now()],
  );
  return row?.prefix;
}
