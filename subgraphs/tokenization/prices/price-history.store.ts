import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { selectPrice } from '../pricing/unit-price.columns.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { PageRead } from '../common/list-page.js';
import type { PriceInterval, PriceRange } from './price-history.js';

/** A price of a series on a day, in one of its versions. */
export type PriceVersion = StoredUnitPriceRow & {
  readonly trancheId: string;
  readonly version: number;
  readonly policyVersion: number;
  readonly calculatedAt: Date;
};

const periodOf: Readonly<Record<PriceInterval, string>> = {
  DAILY: 'date',
  WEEKLY: `date_trunc('week', date::timestamp)`,
  MONTHLY: `date_trunc('month', date::timestamp)`,
};

const versionColumns = `price.version, price.policy_version AS "policyVersion", price.calculated_at AS "calculatedAt", ${selectPrice('price')}`;

/**
 * Prices, oldest first, in the order of the ranges: one query for all ranges that differ in the series alone. Of each day its newest
 * version counts.
 */
export async function pricesIn(context: Context, ranges: readonly PriceRange[]): Promise<PriceVersion[][]> {
  const found = new Map<PriceRange, PriceVersion[]>();
  const alike = groupBy(ranges, ({ from, to, interval, limit }) => [from, to, interval, limit].join());
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const period = periodOf[first.interval];
    const rows = await context.manager.query<PriceVersion[]>(
      `SELECT tranche.id AS "trancheId", ${versionColumns}
       FROM unnest($1::uuid[]) AS tranche (id) CROSS JOIN LATERAL (
         SELECT DISTINCT ON (${period}) * FROM tokenization.unit_prices
         WHERE tranche_id = tranche.id AND date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
         ORDER BY ${period} DESC, date DESC, version DESC LIMIT $4) AS price
       ORDER BY price.date`,
      [[...new Set(group.map(({ trancheId }) => trancheId))], first.from, first.to, first.limit],
    );
    const byTranche = groupBy(rows, ({ trancheId }) => trancheId);
    for (const range of group) found.set(range, byTranche.get(range.trancheId) ?? []);
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/** The days of a series whose prices are read. */
export type PricePeriod = Pick<PriceRange, 'trancheId' | 'from' | 'to'>;

const inPeriod = `tranche_id = $1 AND date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')`;

/** A page of the prices of a period, oldest first, and one more where there is one. Of each day its newest version counts. */
export function listPrices(
  { manager }: Context,
  { trancheId, from, to }: PricePeriod,
  { limit, after }: PageRead,
): Promise<PriceVersion[]> {
  return manager.query(
    `SELECT $1::uuid AS "trancheId", ${versionColumns} FROM (
       SELECT DISTINCT ON (date) * FROM tokenization.unit_prices
       WHERE ${inPeriod} AND date > coalesce($4::date, '-infinity') ORDER BY date, version DESC LIMIT $5) AS price
     ORDER BY price.date`,
    [trancheId, from, to, after ?? null, limit + 1],
  );
}

/** Days of a period that have a price. */
export async function countPrices({ manager }: Context, { trancheId, from, to }: PricePeriod): Promise<number> {
  const [row] = await manager.query<{ count: number }[]>(
    `SELECT count(DISTINCT date)::integer AS count FROM tokenization.unit_prices WHERE ${inPeriod}`,
    [trancheId, from, to],
  );
  return row?.count ?? 0;
}
