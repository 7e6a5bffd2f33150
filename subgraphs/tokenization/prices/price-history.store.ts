import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { selectPrice } from '../pricing/unit-price.columns.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
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
      `SELECT tranche.id AS "trancheId", price.version, price.policy_version AS "policyVersion", price.calculated_at AS "calculatedAt",
         ${selectPrice('price')}
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
