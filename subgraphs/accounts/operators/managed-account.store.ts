import type { Context } from '../../../shared/kernel/context.js';
import { takeTurn } from '../accounts/account.store.js';
import type { ManagedAccount } from './operator.type.js';

/** An account as operators see it: all of it is stored. */
export type ManagedAccountRow = Readonly<ManagedAccount>;

/** An operator's way to identify accounts. */
export type AccountName = { readonly id: string } | { readonly email: string };

export const accountColumns = `id, email, owner_type AS "ownerType", created_at AS "createdAt", confirmed_at AS "confirmedAt",
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

/** Enables accounts. */
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
