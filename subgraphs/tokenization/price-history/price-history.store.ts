import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { PageRange } from '../../../shared/list-page.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import type { PriceRange } from './price-history.js';

/** One version of the price of a series on a day. */
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
 * Returns prices, oldest first, in the order of the ranges, with one query for all ranges that differ only in the series. Returns
 * the newest version of each day.
 */
export async function pricesIn(context: Context, ranges: readonly PriceRange[]): Promise<PriceVersion[][]> {
  const found = new Map<PriceRange, PriceVersion[]>();
  const alike = groupBy(ranges, ({ from, to, interval, limit }) => [from, to, interval, limit].join());
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const period = periodOf[first.interval];
    const rows = await context.manager.rows<PriceVersion>(
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

/** Returns a page of the prices of a period, oldest first, and one more if there is one. Returns the newest version of each day. */
export function listPrices(
  { manager }: Context,
  { trancheId, from, to }: PricePeriod,
  { limit, after }: PageRange,
): Promise<PriceVersion[]> {
  return manager.rows(
    `SELECT $1::uuid AS "trancheId", ${versionColumns} FROM (
       SELECT DISTINCT ON (date) * FROM tokenization.unit_prices
       WHERE ${inPeriod} AND date > coalesce($4::date, '-infinity') ORDER BY date, version DESC LIMIT $5) AS price
     ORDER BY price.date`,
    [trancheId, from, to, after ?? null, limit + 1],
  );
}

/** Counts the days of a period that have a price. */
export function countPrices({ manager }: Context, { trancheId, from, to }: PricePeriod): Promise<number> {
  return manager.countRows(
    `SELECT count(DISTINCT date)::integer AS count FROM tokenization.unit_prices WHERE ${inPeriod}`,
    [trancheId, from, to],
  );
}
