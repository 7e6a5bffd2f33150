import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { operationColumns, type OperationRow } from '../operations/operation.store.js';
import { seriesColumns, type SeriesRow } from '../series/series.store.js';
import { currentPricesOf } from '../unit-prices/unit-price.store.js';
import type { PricePoint } from '../unit-prices/unit-price.js';

export interface CardFacts {
  /** Series by operation id, ordered by number. */
  readonly series: ReadonlyMap<string, readonly SeriesRow[]>;
  readonly prices: ReadonlyMap<string, PricePoint>;
  readonly tokenized: ReadonlySet<string>;
}

/** Returns the ids of the public operations, latest issue first. */
export function publicOperationIds(context: Context): Promise<string[]> {
  return context.manager.values(
    'SELECT id FROM issuances.operations WHERE is_public ORDER BY emission_date DESC NULLS LAST, ticker',
  );
}

export function publicOperations(context: Context, ids: readonly string[]): Promise<OperationRow[]> {
  return context.manager.rows(
    `SELECT ${operationColumns} FROM issuances.operations AS operation WHERE is_public AND id = ANY ($1::uuid[])`,
    [ids],
  );
}

/** Runs three queries for any number of operations. */
export async function loadCardFacts(
  context: Context,
  operations: readonly OperationRow[],
  today: string,
): Promise<CardFacts> {
  const ids = operations.map(({ id }) => id);
  const series = await context.manager.rows<SeriesRow>(
    `SELECT ${seriesColumns} FROM issuances.series WHERE operation_id = ANY ($1) ORDER BY number`,
    [ids],
  );
  const tokenized = await context.manager.rows<{ id: string }>(
    'SELECT DISTINCT series_id AS id FROM issuances.onchain_contracts WHERE series_id IS NOT NULL AND operation_id = ANY ($1)',
    [ids],
  );
  return {
    series: groupBy(series, ({ operationId }) => operationId),
    prices: await currentPricesOf(context, series, today),
    tokenized: new Set(tokenized.map(({ id }) => id)),
  };
}
