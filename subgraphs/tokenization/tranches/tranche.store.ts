import type { Context } from '../../../shared/kernel/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { groupsOf, itemsOf } from '../../../shared/kernel/group-by.js';
import type { RiskClass } from '../../securities/risk-class.js';
import { canBeTicker } from '../../securities/tickers.js';
import type { DayCount } from '../../securities/day-count.js';
import type { IndexBase, IndexProRata, ProjectionClause } from '../unit-price/index-bases.js';
import type { IndexerName, LateInterestMode, TrancheStatus } from './tranche.js';
import { requireFound } from '../../../shared/kernel/errors.js';

/** A series. Quantities, money and rates are text, with exactly the digits that PostgreSQL stores. */
export interface TrancheRow {
  readonly id: string;
  readonly patrimonyId: string;
  readonly seriesTicker: string | null;
  readonly ticker: string;
  readonly name: string;
  readonly status: TrancheStatus;
  readonly className: RiskClass;
  readonly tokenQuantity: string;
  readonly investedAmount: string;
  readonly remunerationStartDate: string;
  readonly issueValue: string;
  readonly dayCount: DayCount;
  readonly rate: string;
  readonly indexer: IndexerName;
  readonly diPercentage: string | null;
  readonly diLagBusinessDays: number | null;
  readonly indexLagMonths: number | null;
  readonly indexAnniversaryDay: number | null;
  readonly indexProRata: IndexProRata | null;
  readonly indexBase: IndexBase | null;
  readonly projection: ProjectionClause | null;
  readonly amortizationOf: 'BALANCE' | 'ISSUE_VALUE';
  /** Charges on late payments by the deed, in percent and in percent a month; null for nothing. */
  readonly lateFinePercent: string | null;
  readonly lateInterestPercent: string | null;
  readonly lateInterestMode: LateInterestMode | null;
  readonly policyVersion: number;
  readonly pricedOn: string | null;
  readonly unitPrice: string | null;
  readonly nominalValue: string | null;
  readonly interest: string | null;
  readonly projected: boolean;
  readonly missingInput: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const trancheColumns = columnsOf<TrancheRow>()(
  'id patrimonyId seriesTicker ticker name status className tokenQuantity investedAmount remunerationStartDate::text',
  'issueValue dayCount rate indexer diPercentage diLagBusinessDays indexLagMonths indexAnniversaryDay',
  'indexProRata indexBase projection amortizationOf lateFinePercent lateInterestPercent lateInterestMode policyVersion pricedOn::text',
  'unitPrice nominalValue interest projected missingInput createdAt updatedAt',
);

export async function tranchesById(context: Context, ids: readonly string[]): Promise<(TrancheRow | undefined)[]> {
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT ${trancheColumns} FROM tokenization.tranches WHERE id = ANY ($1)`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id);
}

/** Returns the series with a ticker, ignoring case. */
export async function findTranche(context: Context, ticker: string): Promise<TrancheRow | undefined> {
  return (await tranchesByTicker(context, [ticker]))[0];
}

/** Returns the series with the given tickers, ignoring case, in the order of the tickers. */
export async function tranchesByTicker(
  context: Context,
  tickers: readonly string[],
): Promise<(TrancheRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT ${trancheColumns} FROM tokenization.tranches WHERE lower(ticker) = ANY ($1)`,
    [lower.filter(canBeTicker)],
  );
  return itemsOf(lower, rows, ({ ticker }) => ticker.toLowerCase());
}

/** Maximum number of series that are read with an estate, or with a series of an operation. */
const mostTranchesOfParent = 100;

/** Returns the first series of each estate, by ticker, in the order of the estates. */
export async function tranchesOfPatrimonies(context: Context, ids: readonly string[]): Promise<TrancheRow[][]> {
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT tranche.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
       SELECT ${trancheColumns} FROM tokenization.tranches
       WHERE patrimony_id = patrimony.id ORDER BY lower(ticker) LIMIT $2) AS tranche`,
    [ids, mostTranchesOfParent],
  );
  return groupsOf(ids, rows, ({ patrimonyId }) => patrimonyId);
}

/** Returns the first tokenized series of each series of an operation, by ticker, in the order of the given tickers, ignoring case. */
export async function tranchesOfSeries(context: Context, seriesTickers: readonly string[]): Promise<TrancheRow[][]> {
  const lower = seriesTickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT tranche.* FROM unnest($1::text[]) AS series (ticker) CROSS JOIN LATERAL (
       SELECT ${trancheColumns} FROM tokenization.tranches
       WHERE lower(series_ticker) = series.ticker ORDER BY lower(ticker) LIMIT $2) AS tranche`,
    [[...new Set(lower)], mostTranchesOfParent],
  );
  return groupsOf(lower, rows, ({ seriesTicker }) => seriesTicker?.toLowerCase() ?? '');
}

export type LockedTranche = TrancheRow & { readonly patrimonyTicker: string };

/** Ignores the case of the ticker. @throws {ApiError} NOT_FOUND */
export async function lockTranche({ manager }: Context, ticker: string): Promise<LockedTranche> {
  const row = await manager.row<LockedTranche>(
    `SELECT ${trancheColumns}, (SELECT p.ticker FROM tokenization.patrimonies p
       WHERE p.id = patrimony_id) AS "patrimonyTicker"
     FROM tokenization.tranches WHERE lower(ticker) = lower($1) FOR NO KEY UPDATE`,
    [canBeTicker(ticker) ? ticker : null],
  );
  return requireFound(row, `There is no series ${ticker}`);
}

export async function countInstalments(
  { manager }: Context,
  trancheId: string,
): Promise<{ readonly instalments: number; readonly unpaid: number }> {
  const row = await manager.row<{ instalments: number; unpaid: number }>(
    `SELECT count(*)::integer AS instalments, (count(*) FILTER (WHERE status <> 'PAID'))::integer AS unpaid
     FROM tokenization.schedule_entries WHERE tranche_id = $1`,
    [trancheId],
  );
  return row ?? { instalments: 0, unpaid: 0 };
}

export async function setTrancheStatus({ manager, clock }: Context, id: string, status: TrancheStatus): Promise<void> {
  await manager.execute('UPDATE tokenization.tranches SET status = $2, updated_at = $3 WHERE id = $1', [
    id,
    status,
    clock.now(),
  ]);
}

/** Raises the policy version of a series, so that its prices are computed again from its start. */
export async function raisePolicyVersion({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(
    'UPDATE tokenization.tranches SET policy_version = policy_version + 1, updated_at = $2 WHERE id = $1',
    [id, clock.now()],
  );
}
