import type { Context } from '../../../shared/kernel/context.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import type { KeyTable } from './key.store.js';

/** Days ahead at which the expiry of a key is notified. */
export type NoticeDays = 30 | 10 | 1;

/** A key whose expiry is due to be notified. */
export interface ExpiringKey {
  readonly id: string;
  readonly table: KeyTable;
  readonly prefix: string;
  readonly expiresAt: Date;
  /** The shortest of the periods in which it expires. */
  readonly noticeDays: NoticeDays;
}

// A key that was rotated is left out: the owner chose its end.
const due = (table: KeyTable) => `
  SELECT key.id, '${table}' AS "table", account_id, prefix, expires_at AS "expiresAt", notice_days AS "noticeDays"
  FROM accounts.${table} AS key, LATERAL (SELECT CASE
    WHEN expires_at <= $1::timestamptz + interval '1 day' THEN 1
    WHEN expires_at <= $1::timestamptz + interval '10 days' THEN 10 ELSE 30 END AS notice_days) AS notice
  WHERE revoked_at IS NULL AND replaced_by IS NULL
    AND expires_at > $1 AND expires_at <= $1::timestamptz + interval '30 days'
    AND (expiry_notice_days IS NULL OR notice_days < expiry_notice_days)`;

/** Returns accounts that have keys to be notified about, by id after a given one; disabled ones are left out. */
export function listExpiringOwners({ manager, clock }: Context, after: string, take: number): Promise<string[]> {
  return manager.values(
    `SELECT DISTINCT account.id FROM accounts.accounts AS account
     JOIN (${due('api_keys')} UNION ALL ${due('developer_keys')}) AS key ON key.account_id = account.id
     WHERE account.id > $2 AND disabled_at IS NULL AND confirmed_at IS NOT NULL ORDER BY account.id LIMIT $3`,
    [clock.now(), after, take],
  );
}

/** Returns the keys of an account to be notified about, by their expiry. */
export function listExpiringKeys({ manager, clock }: Context, accountId: string): Promise<ExpiringKey[]> {
  return manager.rows(
    `SELECT id, "table", prefix, "expiresAt", "noticeDays" FROM (${due('api_keys')} UNION ALL ${due('developer_keys')}) AS key
     WHERE account_id = $2 ORDER BY "expiresAt", id`,
    [clock.now(), accountId],
  );
}

/** Stores that the expiry of keys was notified. */
export async function markNotified({ manager }: Context, keys: readonly ExpiringKey[]): Promise<void> {
  const marked = (table: KeyTable) => `UPDATE accounts.${table} AS key SET expiry_notice_days = notice_days
    FROM unnest($1::uuid[], $2::integer[]) AS notified(id, notice_days) WHERE key.id = notified.id`;
  await manager.execute(`WITH api AS (${marked('api_keys')}) ${marked('developer_keys')}`, [
    keys.map(({ id }) => id),
    keys.map(({ noticeDays }) => noticeDays),
  ]);
}

/** Returns the language in which an account gets its notices. */
export async function languageOf({ manager }: Context, accountId: string): Promise<MailLanguage> {
  const language = await manager.value<MailLanguage>('SELECT mail_language FROM accounts.accounts WHERE id = $1', [
    accountId,
  ]);
  return language ?? 'PT_BR';
}
