import type { Context } from '../../../shared/kernel/context.js';
import type { Discrepancy } from './finding.store.js';

/** Maximum number of discrepancies that one check returns. */
const most = 200;

/** How long the house may owe what it is still trading at the venues for a quote; after that an operator is alerted to the hedge, too. */
const hedgedWithin = '5 minutes';

/**
 * Checks the balances in one snapshot: it reads every account and every open hold once, the hedges under way, and the last entry of
 * recently changed accounts.
 */
export function findInBalances({ manager }: Context): Promise<Discrepancy[]> {
  return manager.rows(
    `WITH account AS MATERIALIZED (
       SELECT id, kind, wallet_id, currency, synthetic, balance, entry_count, last_posted_at FROM trading.ledger_accounts
     ), held AS (
       SELECT wallet_id, currency, synthetic, sum(remaining) AS remaining FROM trading.holds WHERE closed_at IS NULL
       GROUP BY wallet_id, currency, synthetic
     ), coming AS (
       SELECT CASE side WHEN 'BUY' THEN base ELSE quote END AS currency, hedge.synthetic,
         sum(CASE side WHEN 'BUY' THEN greatest(0, amount - hedged_amount) ELSE greatest(0, quote_amount - hedged_value) END) AS amount
       FROM trading.hedges AS hedge JOIN trading.quotes AS quoted ON quoted.id = quote_id
       WHERE hedge.state = 'OPEN' AND executed_at > now() - interval '${hedgedWithin}' GROUP BY 1, 2
     ), world AS (
       SELECT currency, synthetic, sum(balance) AS total,
         coalesce(sum(balance) FILTER (WHERE wallet_id IS NOT NULL), 0) AS owed,
         -coalesce(sum(balance) FILTER (WHERE kind IN ('VENUE', 'CUSTODY', 'DEPOSITS_IN_TRANSIT', 'WITHDRAWALS_IN_TRANSIT')), 0)
           AS kept
       FROM account GROUP BY currency, synthetic
     )
     SELECT 'ZERO_SUM' AS invariant, currency, synthetic, '' AS subject, '0' AS expected, total::text AS actual
     FROM world WHERE total <> 0
     UNION ALL
     SELECT 'LIABILITIES_COVERED', currency, synthetic, '', 'at least ' || owed, (kept + coalesce(amount, 0))::text
     FROM world LEFT JOIN coming USING (currency, synthetic) WHERE owed > kept + coalesce(amount, 0)
     UNION ALL
     SELECT 'CLIENT_NOT_NEGATIVE', currency, synthetic, 'account ' || id, 'at least 0', balance::text
     FROM account WHERE wallet_id IS NOT NULL AND balance < 0
     UNION ALL
     SELECT 'LOCKED_IS_HELD', currency, synthetic, 'wallet ' || wallet_id, coalesce(remaining, 0)::text, coalesce(balance, 0)::text
     FROM (SELECT wallet_id, currency, synthetic, balance FROM account WHERE kind = 'LOCKED') AS locked
     FULL JOIN held USING (wallet_id, currency, synthetic) WHERE coalesce(remaining, 0) <> coalesce(balance, 0)
     UNION ALL
     SELECT 'BALANCE_IS_LAST_ENTRY', account.currency, account.synthetic, 'account ' || id,
       coalesce(format('%s after entry %s', entry.balance, entry.number), 'an entry'),
       format('%s after entry %s', account.balance, entry_count)
     FROM account LEFT JOIN trading.entries AS entry ON entry.account_id = id AND entry.posted_at = last_posted_at
     WHERE last_posted_at > now() - interval '10 minutes'
       AND (entry.balance, entry.number) IS DISTINCT FROM (account.balance, entry_count)
     LIMIT ${most}`,
  );
}

/**
 * Checks the entries that no closed month has proved, together with the proved sums: every account is the sum of its
 * entries, without gaps, and every currency of these entries adds up to zero.
 * @param since the end of the last proved month
 */
export function findInEntries({ manager }: Context, since: string): Promise<Discrepancy[]> {
  return manager.rows(
    `WITH fresh AS MATERIALIZED (SELECT * FROM trading.add_up_entries($1, 'infinity'))
     SELECT 'BALANCE_IS_SUM_OF_ENTRIES' AS invariant, account.currency, account.synthetic, 'account ' || account.id AS subject,
       format('%s after %s entries, %s of them out of order', coalesce(proved.balance, 0) + coalesce(fresh.amount, 0),
         coalesce(proved.last_number, 0) + coalesce(fresh.entries, 0), coalesce(fresh.broken, 0)) AS expected,
       format('%s after %s entries', account.balance, account.entry_count) AS actual
     FROM trading.ledger_accounts AS account
     LEFT JOIN fresh ON fresh.account_id = account.id
     LEFT JOIN LATERAL (
       SELECT last_number, balance FROM trading.entry_sums AS sums WHERE sums.account_id = account.id
       ORDER BY sums.month DESC LIMIT 1) AS proved ON true
     WHERE coalesce(proved.balance, 0) + coalesce(fresh.amount, 0) <> account.balance
       OR coalesce(proved.last_number, 0) + coalesce(fresh.entries, 0) <> account.entry_count
       OR coalesce(fresh.last_number, proved.last_number, 0) <> account.entry_count
       OR fresh.opening <> coalesce(proved.balance, 0) OR fresh.broken > 0
     UNION ALL
     SELECT 'ENTRIES_ZERO_SUM', account.currency, account.synthetic, 'since ' || $1, '0', sum(fresh.amount)::text
     FROM fresh JOIN trading.ledger_accounts AS account ON account.id = fresh.account_id
     GROUP BY account.currency, account.synthetic HAVING sum(fresh.amount) <> 0
     LIMIT ${most}`,
    [since],
  );
}

/** Checks that a month still has the sums with which it was proved. */
export function findInProvedMonth({ manager }: Context, month: string): Promise<Discrepancy[]> {
  return manager.rows(
    `SELECT 'PROVED_MONTH_STANDS' AS invariant, account.currency, account.synthetic, format('account %s in %s', account.id, $1::date) AS subject,
       format('%s in %s entries', kept.amount, kept.entries) AS expected,
       format('%s in %s entries, %s of them out of order', fresh.amount, fresh.entries, fresh.broken) AS actual
     FROM (SELECT * FROM trading.entry_sums WHERE month = $1::date) AS kept
     FULL JOIN trading.add_up_entries($1::date, $1::date + interval '1 month') AS fresh USING (account_id)
     JOIN trading.ledger_accounts AS account ON account.id = account_id
     WHERE (kept.amount, kept.entries, kept.last_number, 0) IS DISTINCT FROM (fresh.amount, fresh.entries, fresh.last_number, fresh.broken)
     LIMIT ${most}`,
    [month],
  );
}

/** Lists the proved months, oldest first, as `YYYY-MM-01`. */
export function provedMonths({ manager }: Context): Promise<string[]> {
  return manager.values('SELECT month::text FROM trading.proved_months ORDER BY month');
}

/** Lists the months that ended at least an hour ago and are not proved yet, oldest first. Nothing more can be posted in them. */
export function monthsToProve({ manager }: Context): Promise<string[]> {
  return manager.values(
    `SELECT month::date::text AS month FROM generate_series(
       coalesce((SELECT max(month) + interval '1 month' FROM trading.proved_months),
                (SELECT date_trunc('month', min(posted_at)) FROM trading.entries))::timestamp,
       date_trunc('month', now() - interval '1 hour')::timestamp - interval '1 month', interval '1 month') AS month
     ORDER BY month`,
  );
}

/** Proves a month. @returns false if it does not add up */
export async function proveMonth({ manager }: Context, month: string): Promise<boolean> {
  const rows = await manager.rows<{ proved: boolean }>('SELECT trading.prove_month($1) AS proved', [month]);
  return rows[0]?.proved === true;
}

/** Counts the entries outside of the existing partitions by month. */
export function countStrayEntries({ manager }: Context): Promise<number> {
  return manager.countRows(
    'SELECT count(*)::integer AS count FROM (SELECT FROM trading.entries_other LIMIT 1000) AS stray',
  );
}

/** Creates the partitions of entries for the coming months. @returns how many it created */
export function makeEntryMonths({ manager }: Context): Promise<number> {
  return manager.countRows('SELECT trading.make_entry_months() AS made');
}
