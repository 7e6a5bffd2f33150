import type { Context } from '../../../shared/kernel/context.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { canBeTicker } from '../../../shared/kernel/ticker.js';
import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { Indexer } from '../../../shared/kernel/format/format.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';

/** A series of an operation. */
export interface SeriesRow {
  readonly id: string;
  readonly operationId: string;
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly status: string;
  readonly indexer: Indexer;
  readonly indexerPercent: string;
  readonly rate: string;
  readonly remunerationLabel: string | null;
  readonly issueDate: string;
  readonly maturityDate: string;
  readonly isin: string | null;
  readonly ifCode: string | null;
  readonly unitValue: string;
  readonly quantity: string;
  readonly issuedTotal: string;
  readonly raisedAmount: string | null;
  readonly subscribedQuotas: string | null;
}

export const seriesColumns = columnsOf<SeriesRow>()(
  'id operationId number ticker class status indexer indexerPercent rate remunerationLabel issueDate::text',
  'maturityDate::text isin ifCode unitValue quantity issuedTotal raisedAmount subscribedQuotas',
);

export const seriesOf = byOperation<SeriesRow>(
  `SELECT ${seriesColumns} FROM issuances.series WHERE operation_id = ANY ($1) ORDER BY number`,
);

/** Returns the series of public operations with the given tickers, ignoring case, in the order of the tickers. */
export async function publicSeriesByTicker(
  { manager }: Context,
  tickers: readonly string[],
): Promise<(SeriesRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await manager.rows<SeriesRow>(
    `SELECT ${seriesColumns} FROM issuances.series
     WHERE lower(ticker) = ANY ($1) AND operation_id IN (SELECT id FROM issuances.operations WHERE is_public)`,
    [lower.filter(canBeTicker)],
  );
  return itemsOf(lower, rows, ({ ticker }) => ticker.toLowerCase());
}
