import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { OperationRow } from '../operations/operation.entity.js';
import { SeriesRow } from '../series/series.entity.js';
import { currentPrices } from '../unit-prices/unit-price.store.js';
import type { PricePoint } from '../unit-prices/unit-price.js';

/** Data for the cards of some operations, in addition to the operations. */
export interface CardFacts {
  /** By operation id, by number. */
  readonly series: ReadonlyMap<string, readonly SeriesRow[]>;
  readonly prices: ReadonlyMap<string, PricePoint>;
  readonly tokenized: ReadonlySet<string>;
}

/** Returns the public operations, latest issue first. */
export function publicOperations(context: Context): Promise<OperationRow[]> {
  return context.manager.find(OperationRow, {
    where: { isPublic: true },
    order: { emissionDate: { direction: 'DESC', nulls: 'LAST' }, ticker: 'ASC' },
  });
}

/** Runs three queries for any number of operations. */
export async function loadCardFacts(
  context: Context,
  operations: readonly OperationRow[],
  today: string,
): Promise<CardFacts> {
  const ids = operations.map(({ id }) => id);
  const series = await context.manager
    .createQueryBuilder(SeriesRow, 'series')
    .where('series.operationId = ANY (:ids)', { ids })
    .orderBy('series.number')
    .getMany();
  const tokenized = await context.manager.rows<{ id: string }>(
    'SELECT DISTINCT series_id AS id FROM issuances.onchain_contracts WHERE series_id IS NOT NULL AND operation_id = ANY ($1)',
    [ids],
  );
  return {
    series: groupBy(series, ({ operationId }) => operationId),
    prices: await currentPrices(
      context,
      series.map(({ id }) => id),
      today,
    ),
    tokenized: new Set(tokenized.map(({ id }) => id)),
  };
}
