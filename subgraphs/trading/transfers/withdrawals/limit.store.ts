import type { Context } from '../../../../shared/kernel/context.js';
import { groupsOf } from '../../../../shared/kernel/group-by.js';
import { formatAmount } from '../../format-amount.js';

/** A company's limit for withdrawals of a currency in 24 hours. */
export interface WithdrawalLimitRow {
  readonly companyId: string;
  readonly currency: string;
  /** Decimal text in the currency. */
  readonly daily: string;
}

/** Lists the limits of each company, sorted by currency. */
export async function limitsOf(
  { manager }: Context,
  companyIds: readonly string[],
): Promise<readonly WithdrawalLimitRow[][]> {
  const rows = await manager.rows<WithdrawalLimitRow & { readonly decimals: number }>(
    `SELECT company_id AS "companyId", currency, trim_scale(daily)::text AS daily, decimals
     FROM trading.withdrawal_limits JOIN trading.currencies ON code = currency
     WHERE company_id = ANY ($1::uuid[]) ORDER BY company_id, currency`,
    [companyIds],
  );
  const limits = rows.map(({ decimals, ...row }) => ({ ...row, daily: formatAmount(row.daily, decimals) }));
  return groupsOf(companyIds, limits, ({ companyId }) => companyId);
}

interface CompanyCurrency {
  readonly companyId: string;
  readonly currency: string;
}

/**
 * Returns a company's limit for withdrawals of a currency in 24 hours, locked until the transaction ends, so that two concurrent withdrawals cannot both
 * use the same remainder; undefined if there is no limit.
 */
export function lockDailyLimit(
  { manager }: Context,
  { companyId, currency }: CompanyCurrency,
): Promise<string | undefined> {
  return manager.value(
    `SELECT daily::text AS daily FROM trading.withdrawal_limits WHERE company_id = $1 AND currency = $2 FOR NO KEY UPDATE`,
    [companyId, currency],
  );
}

/** SQL: what counts in a limit of 24 hours: what was sent, though it came back, and what is still to be sent. */
const counts = `(sent_at IS NOT NULL OR state NOT IN ('FAILED', 'REJECTED'))`;

/** Sums a company's withdrawals of a currency since a time, with those that came back. */
export async function sumWithdrawn(
  { manager }: Context,
  { companyId, currency }: CompanyCurrency,
  { synthetic, since }: { readonly synthetic: boolean; readonly since: Date },
): Promise<string> {
  return (
    (await manager.value<string>(
      `SELECT coalesce(sum(amount), 0)::text AS total FROM trading.withdrawals
     WHERE company_id = $1 AND currency = $2 AND synthetic = $3 AND created_at > $4 AND ${counts}`,
      [companyId, currency, synthetic, since],
    )) ?? '0'
  );
}

/** Lets one withdrawal of a company after another be judged by what it has withdrawn. */
export async function lockCompany({ manager }: Context, companyId: string): Promise<void> {
  await manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('trading.withdrawals ' || $1, 0))`, [companyId]);
}

/**
 * Sums the values in BRL of a company's real withdrawals since a time that needed no approval, with those that came back.
 * @param currencies all that exist: the index by currency and time finds the rows of each
 */
export async function sumUnapproved(
  { manager }: Context,
  of: { readonly companyId: string; readonly currencies: readonly string[]; readonly since: Date },
): Promise<string> {
  const sum = await manager.value<string>(
    `SELECT coalesce(sum(value_brl), 0)::text AS total FROM trading.withdrawals
     WHERE company_id = $1 AND currency = ANY ($2) AND created_at > $3
       AND NOT synthetic AND approvals_needed = 0 AND ${counts}`,
    [of.companyId, of.currencies, of.since],
  );
  return sum ?? '0';
}

/** Sets a limit; null lifts it. */
export async function saveDailyLimit(
  { manager, clock }: Context,
  { companyId, currency }: CompanyCurrency,
  daily: string | null,
): Promise<void> {
  if (daily === null) {
    await manager.execute('DELETE FROM trading.withdrawal_limits WHERE company_id = $1 AND currency = $2', [
      companyId,
      currency,
    ]);
    return;
  }
  await manager.execute(
    `INSERT INTO trading.withdrawal_limits (company_id, currency, daily, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, currency) DO UPDATE SET daily = excluded.daily, updated_at = excluded.updated_at`,
    [companyId, currency, daily, clock.now()],
  );
}
