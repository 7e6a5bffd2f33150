import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { PriceInterval } from '../../../shared/securities/price-interval.js';
import type { PricePoint, PriceRange } from './unit-price.js';

/** A price with the series that it belongs to. */
export type PriceRow = PricePoint & { readonly seriesId: string };

const periodOf: Readonly<Record<PriceInterval, string>> = {
  DAILY: 'date',
  WEEKLY: `date_trunc('week', date::timestamp)`,
  MONTHLY: `date_trunc('month', date::timestamp)`,
};

const inRange = `date BETWEEN coalesce($2::date, '-infinity') AND $3::date`;

/** SQL of the newest price of each period of a range, for the first or the last periods. */
function newestOfEach({ interval, forward = false }: PriceRange): string {
  const period = periodOf[interval];
  const direction = forward ? 'ASC' : 'DESC';
  if (interval === 'DAILY')
    return `SELECT date, value FROM issuances.unit_prices WHERE series_id = series.id AND ${inRange} ORDER BY date ${direction} LIMIT $4`;
  return `SELECT DISTINCT ON (${period}) date, value FROM issuances.unit_prices WHERE series_id = series.id AND ${inRange}
    ORDER BY ${period} ${direction}, date DESC LIMIT $4`;
}

/** Returns price histories, oldest first, in the order of the ranges, with one query for all ranges that differ only in the series. */
export async function pricesIn(context: Context, ranges: readonly PriceRange[]): Promise<PriceRow[][]> {
  const found = new Map<PriceRange, PriceRow[]>();
  const alike = groupBy(ranges, ({ from, to, interval, limit, forward }) =>
    [from, to, interval, limit, forward].join(),
  );
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const rows = await context.manager.rows<PriceRow>(
      `SELECT series.id AS "seriesId", point.date::text AS date, point.value
       FROM unnest($1::uuid[]) AS series (id) CROSS JOIN LATERAL (${newestOfEach(first)}) AS point
       ORDER BY point.date`,
      [[...new Set(group.map(({ seriesId }) => seriesId))], first.from, first.to, first.limit],
    );
    const bySeries = groupBy(rows, ({ seriesId }) => seriesId);
    for (const range of group) found.set(range, bySeries.get(range.seriesId) ?? []);
  }
  return ranges.map((range) => found.get(range) ?? []);
}

/** The prices of a series that are counted. */
export type CountedPrices = Pick<PriceRange, 'seriesId' | 'from' | 'to' | 'interval'>;

/** Counts the prices of each range, in the order of the ranges, with one query for all ranges that differ only in the series. */
export async function countPricesIn({ manager }: Context, ranges: readonly CountedPrices[]): Promise<number[]> {
  const found = new Map<CountedPrices, number>();
  for (const group of groupBy(ranges, ({ from, to, interval }) => [from, to, interval].join()).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const rows = await manager.rows<{ id: string; count: number }>(
      `SELECT series_id AS id, count(DISTINCT ${periodOf[first.interval]})::int AS count FROM issuances.unit_prices
       WHERE series_id = ANY ($1) AND ${inRange} GROUP BY series_id`,
      [group.map(({ seriesId }) => seriesId), first.from, first.to],
    );
    const bySeries = new Map(rows.map(({ id, count }) => [id, count]));
    for (const range of group) found.set(range, bySeries.get(range.seriesId) ?? 0);
  }
  return ranges.map((range) => found.get(range) ?? 0);
}

/** Returns the current price of each series on a day: the newest one up to that day. Omits series without a price. */
export async function currentPrices(
  context: Context,
  seriesIds: readonly string[],
  today: string,
): Promise<Map<string, PricePoint>> {
  const ranges = seriesIds.map(
    (seriesId) => ({ seriesId, from: null, to: today, interval: 'DAILY', limit: 1 }) as const,
  );
  const histories = await pricesIn(context, ranges);
  return new Map(
    seriesIds.flatMap(
      (seriesId, index) => histories[index]?.slice(-1).map((price) => [seriesId, price] as const) ?? [],
    ),
  );
}

/** The trustee firm's price of a series on a day, with the issuer's price of the same day. */
export interface TrusteePriceRow {
  readonly seriesId: string;
  readonly date: string;
  readonly trustee: string;
  readonly trusteeValue: string;
  /** Null if the issuer published none for that day. */
  readonly issuerValue: string | null;
}

/** Maximum number of days that are read per series. */
export const maxTrusteePrices = 400;

/** Returns the trustee firm's prices of each series up to a day, newest first. */
export async function trusteePricesOf(
  context: Context,
  keys: readonly { readonly seriesId: string; readonly to: string }[],
): Promise<TrusteePriceRow[][]> {
  const rows = await context.manager.rows<TrusteePriceRow>(
    `SELECT wanted.id AS "seriesId", price.date::text AS date, price.trustee, price.value AS "trusteeValue",
       issuer.value AS "issuerValue"
     FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::date[]) AS given (id, day)) AS wanted
     CROSS JOIN LATERAL (
       SELECT * FROM issuances.trustee_unit_prices WHERE series_id = wanted.id AND date <= wanted.day
       ORDER BY date DESC LIMIT $3) AS price
     LEFT JOIN issuances.unit_prices AS issuer ON issuer.series_id = price.series_id AND issuer.date = price.date
     ORDER BY price.date DESC`,
    [keys.map(({ seriesId }) => seriesId), keys.map(({ to }) => to), maxTrusteePrices],
  );
  const groups = groupBy(rows, ({ seriesId }) => seriesId);
  return keys.map(({ seriesId }) => groups.get(seriesId) ?? []);
}
