import type { Context } from '../../../shared/context.js';
import { groupBy } from '../common/group-by.js';
import { OperationRow } from '../operations/operation.entity.js';
import { SeriesRow } from '../series/series.entity.js';
import { currentPrices } from '../unit-prices/unit-price.store.js';
import type { PricePoint } from '../unit-prices/unit-price.js';

/** Everything that the list of public operations is made of. Four queries, however many operations there are. */
export interface CardFacts {
  /** The latest issue first. */
  readonly operations: readonly OperationRow[];
  /** By operation id, by number. */
  readonly series: ReadonlyMap<string, readonly SeriesRow[]>;
  readonly prices: ReadonlyMap<string, PricePoint>;
  readonly tokenized: ReadonlySet<string>;
}

export async function loadCardFacts(context: Context, today: string): Promise<CardFacts> {
  const operations = await context.manager.find(OperationRow, {
    where: { isPublic: true },
    order: { emissionDate: { direction: 'DESC', nulls: 'LAST' }, ticker: 'ASC' },
  });
  const ids = operations.map(({ id }) => id);
  const series = await context.manager
    .createQueryBuilder(SeriesRow, 'series')
    .where('series.operationId = ANY (:ids)', { ids })
    .orderBy('series.number')
    .getMany();
  const tokenized = await context.manager.query<{ id: string }[]>(
    'SELECT DISTINCT series_id AS id FROM issuances.onchain_contracts WHERE series_id IS NOT NULL AND operation_id = ANY ($1)',
    [ids],
  );
  return {
    operations,
    series: groupBy(series, ({ operationId }) => operationId),
    prices: await currentPrices(
      context,
      series.map(({ id }) => id),
      today,
    ),
    tokenized: new Set(tokenized.map(({ id }) => id)),
  };
}
