import type { Shape } from '../../../shared/graphql/shape.js';
import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import { takeTurn } from '../accounts/account.store.js';
import type { ManagedAccount, ManagedKey } from './operator.type.js';

export interface ManagedKeyRow extends Omit<Shape<ManagedKey>, 'rateLimit' | 'followsConfiguration'> {
  readonly accountId: string;
  /** Its own requests per minute; null to use the configuration. */
  readonly rateLimit: number | null;
}

const columns = `id, account_id AS "accountId", prefix, name, rate_limit AS "rateLimit", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

export const mostKeysListed = 50;

/** Lists the keys of each account, of both kinds: those that are not revoked first, then the newest; at most 50 of each account. */
export async function managedKeysOf(
  { manager }: Context,
  accountIds: readonly string[],
): Promise<readonly ManagedKeyRow[][]> {
  const rows = await manager.rows<ManagedKeyRow>(
    `SELECT k.* FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
       SELECT * FROM (
         SELECT ${columns} FROM accounts.api_keys WHERE account_id = a.id
         UNION ALL SELECT ${columns} FROM accounts.developer_keys WHERE account_id = a.id
       ) both_kinds ORDER BY "revokedAt" DESC NULLS FIRST, "createdAt" DESC, id DESC LIMIT $2
     ) k`,
    [accountIds, mostKeysListed],
  );
  return groupsOf(accountIds, rows, ({ accountId }) => accountId);
}

/** Finds the accounts with an e-mail, at most 100, or the one that has a key with a prefix. */
export function findManagedAccounts({ manager }: Context, text: string): Promise<ManagedAccountRow[]> {
  return manager.rows(
    `SELECT ${accountColumns} FROM accounts.accounts WHERE lower(email) = lower($1)
       OR id IN (SELECT account_id FROM accounts.api_keys WHERE prefix = $1 UNION SELECT account_id FROM accounts.developer_keys WHERE prefix = $1)
     ORDER BY id LIMIT 100`,
    [text],
  );
}

export type ManagedAccountRow = Readonly<ManagedAccount>;

/** An operator's way to identify accounts. */
export type AccountName = { readonly id: string } | { readonly email: string };

const accountColumns = `id, email, owner_type AS "ownerType", created_at AS "createdAt", confirmed_at AS "confirmedAt",
  disabled_at AS "disabledAt", disabled_reason AS "disabledReason"`;

/** Locks the account with an id, or every account with an e-mail, until the end of the transaction; at most 100. */
export async function lockNamed(context: Context, name: AccountName): Promise<ManagedAccountRow[]> {
  if ('email' in name) await takeTurn(context, name.email);
  return context.manager.rows(
    `SELECT ${accountColumns} FROM accounts.accounts WHERE ${'id' in name ? 'id = $1' : 'lower(email) = lower($1)'}
     ORDER BY id LIMIT 100 FOR NO KEY UPDATE`,
    ['id' in name ? name.id : name.email],
  );
}

/** Disables accounts; an account that is already disabled keeps its first time and reason. */
export async function disable(context: Context, ids: readonly string[], reason: string): Promise<ManagedAccountRow[]> {
  return saved(
    context,
    `UPDATE accounts.accounts SET disabled_at = coalesce(disabled_at, $2), disabled_reason = coalesce(disabled_reason, $3)
     WHERE id = ANY ($1) RETURNING ${accountColumns}`,
    [ids, context.clock.now(), reason],
  );
}

export async function enable(context: Context, ids: readonly string[]): Promise<ManagedAccountRow[]> {
  return saved(
    context,
    `UPDATE accounts.accounts SET disabled_at = NULL, disabled_reason = NULL WHERE id = ANY ($1) RETURNING ${accountColumns}`,
    [ids],
  );
}

async function saved(context: Context, text: string, values: unknown[]): Promise<ManagedAccountRow[]> {
  const rows = await context.manager.rows<ManagedAccountRow>(text, values);
  return rows.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}
