import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { selectPrice } from '../price-runs/unit-price.columns.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { PageRange } from '../../../shared/graphql/list-page.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';

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
  const alike = groupBy(ranges, ({ from, to, interval, limit, forward }) =>
    [from, to, interval, limit, forward].join(),
  );
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const period = periodOf[first.interval];
    const direction = first.forward ? 'ASC' : 'DESC';
    const rows = await context.manager.rows<PriceVersion>(
      `SELECT tranche.id AS "trancheId", ${versionColumns}
       FROM unnest($1::uuid[]) AS tranche (id) CROSS JOIN LATERAL (
         SELECT DISTINCT ON (${period}) * FROM tokenization.unit_prices
         WHERE tranche_id = tranche.id AND date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
         ORDER BY ${period} ${direction}, date DESC, version DESC LIMIT $4) AS price
       ORDER BY price.date`,
      [[...new Set(group.map(({ trancheId }) => trancheId))], first.from, first.to, first.limit],
    );
    const byTranche = groupBy(rows, ({ trancheId }) => trancheId);
    for (const range of group) found.set(range, byTranche.get(range.trancheId) ?? []);
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/** The prices of a series that are counted. */
export type CountedPrices = Pick<PriceRange, 'trancheId' | 'from' | 'to' | 'interval'>;

/** Counts the prices of each range, in the order of the ranges, with one query for all ranges that differ only in the series. */
export async function countPricesIn({ manager }: Context, ranges: readonly CountedPrices[]): Promise<number[]> {
  const found = new Map<CountedPrices, number>();
  for (const group of groupBy(ranges, ({ from, to, interval }) => [from, to, interval].join()).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const rows = await manager.rows<{ id: string; count: number }>(
      `SELECT tranche_id AS id, count(DISTINCT ${periodOf[first.interval]})::int AS count FROM tokenization.unit_prices
       WHERE tranche_id = ANY ($1) AND date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
       GROUP BY tranche_id`,
      [group.map(({ trancheId }) => trancheId), first.from, first.to],
    );
    const byTranche = new Map(rows.map(({ id, count }) => [id, count]));
    for (const range of group) found.set(range, byTranche.get(range.trancheId) ?? 0);
  }
  return ranges.map((range) => found.get(range) ?? 0);
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

/** Selects prices of a series: the last `limit` of a range, or the first ones. */
interface PriceRange {
  readonly trancheId: string;
  /** First day; null for no bound. */
  readonly from: string | null;
  /** Last day; null for no bound. */
  readonly to: string | null;
  /** WEEKLY and MONTHLY keep the last price of each ISO week or month. */
  readonly interval: PriceInterval;
  readonly limit: number;
  readonly forward: boolean;
}
