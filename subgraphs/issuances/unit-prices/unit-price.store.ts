import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import type { PricePoint, PriceRange } from './unit-price.js';

type PriceRow = PricePoint & { readonly seriesId: string };

const newestOf: Readonly<Record<PriceInterval, string>> = {
  DAILY: `SELECT date, value FROM issuances.unit_prices
    WHERE series_id = series.id AND date BETWEEN coalesce($2::date, '-infinity') AND $3::date
    ORDER BY date DESC LIMIT $4`,
  WEEKLY: newestOfEach('week'),
  MONTHLY: newestOfEach('month'),
};

function newestOfEach(unit: 'week' | 'month'): string {
  return `SELECT DISTINCT ON (date_trunc('${unit}', date::timestamp)) date, value FROM issuances.unit_prices
    WHERE series_id = series.id AND date BETWEEN coalesce($2::date, '-infinity') AND $3::date
    ORDER BY date_trunc('${unit}', date::timestamp) DESC, date DESC LIMIT $4`;
}

/** Returns price histories, oldest first, in the order of the ranges, with one query for all ranges that differ only in the series. */
export async function pricesIn(context: Context, ranges: readonly PriceRange[]): Promise<PricePoint[][]> {
  const found = new Map<PriceRange, PricePoint[]>();
  const alike = groupBy(ranges, ({ from, to, granularity, limit }) => [from, to, granularity, limit].join());
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const rows = await context.manager.rows<PriceRow>(
      `SELECT series.id AS "seriesId", point.date::text AS date, point.value
       FROM unnest($1::uuid[]) AS series (id) CROSS JOIN LATERAL (${newestOf[first.granularity]}) AS point
       ORDER BY point.date`,
      [[...new Set(group.map(({ seriesId }) => seriesId))], first.from, first.to, first.limit],
    );
    const bySeries = groupBy(rows, ({ seriesId }) => seriesId);
    for (const range of group) found.set(range, bySeries.get(range.seriesId) ?? []);
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/** Returns the current price of each series on a day: the newest one up to that day. Omits series without a price. */
export async function currentPrices(
  context: Context,
  seriesIds: readonly string[],
  today: string,
): Promise<Map<string, PricePoint>> {
  const ranges = seriesIds.map(
    (seriesId) => ({ seriesId, from: null, to: today, granularity: 'DAILY', limit: 1 }) as const,
  );
  const histories = await pricesIn(context, ranges);
  return new Map(
    seriesIds.flatMap(
      (seriesId, index) => histories[index]?.slice(-1).map((price) => [seriesId, price] as const) ?? [],
    ),
  );
}
