import type { Context } from '../../../shared/kernel/context.js';
import { groupBy, readAlike } from '../../../shared/kernel/group-by.js';
import type { PriceInterval } from '../../securities/price-page.js';
import type { PricePoint, PriceRange } from './unit-price.js';

export type PriceRow = PricePoint & { readonly seriesId: string };

const periodOf: Readonly<Record<PriceInterval, string>> = {
  DAILY: 'date',
  WEEKLY: `date_trunc('week', date::timestamp)`,
  MONTHLY: `date_trunc('month', date::timestamp)`,
};

const inRange = `date BETWEEN coalesce($2::date, '-infinity') AND $3::date`;

function newestOfEach({ interval, forward = false }: PriceRange): string {
  const period = periodOf[interval];
  const direction = forward ? 'ASC' : 'DESC';
  if (interval === 'DAILY')
    return `SELECT date, value, projected FROM issuances.unit_prices WHERE series_id = series.id AND ${inRange} ORDER BY date ${direction} LIMIT $4`;
  return `SELECT DISTINCT ON (${period}) date, value, projected FROM issuances.unit_prices WHERE series_id = series.id AND ${inRange}
    ORDER BY ${period} ${direction}, date DESC LIMIT $4`;
}

/** Returns price histories, oldest first, in the order of the ranges, with one query for all ranges that differ only in the series. */
export function pricesIn(context: Context, ranges: readonly PriceRange[]): Promise<PriceRow[][]> {
  return readAlike(ranges, ['from', 'to', 'interval', 'limit', 'forward'], async (one, alike) => {
    const rows = await context.manager.rows<PriceRow>(
      `SELECT series.id AS "seriesId", point.date::text AS date, point.value, point.projected
       FROM unnest($1::uuid[]) AS series (id) CROSS JOIN LATERAL (${newestOfEach(one)}) AS point
       ORDER BY point.date`,
      [[...new Set(alike.map(({ seriesId }) => seriesId))], one.from, one.to, one.limit],
    );
    const bySeries = groupBy(rows, ({ seriesId }) => seriesId);
    return ({ seriesId }) => bySeries.get(seriesId) ?? [];
  });
}

export type CountedPrices = Pick<PriceRange, 'seriesId' | 'from' | 'to' | 'interval'>;

/** Counts the prices of each range, in the order of the ranges, with one query for all ranges that differ only in the series. */
export function countPricesIn({ manager }: Context, ranges: readonly CountedPrices[]): Promise<number[]> {
  return readAlike(ranges, ['from', 'to', 'interval'], async ({ from, to, interval }, alike) => {
    const rows = await manager.rows<{ id: string; count: number }>(
      `SELECT series_id AS id, count(DISTINCT ${periodOf[interval]})::int AS count FROM issuances.unit_prices
       WHERE series_id = ANY ($1) AND ${inRange} GROUP BY series_id`,
      [alike.map(({ seriesId }) => seriesId), from, to],
    );
    const bySeries = new Map(rows.map(({ id, count }) => [id, count]));
    return ({ seriesId }) => bySeries.get(seriesId) ?? 0;
  });
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

export interface PriceKey {
  readonly seriesId: string;
  readonly date: string;
}

export interface EarlierValue {
  readonly value: string;
  /** Null where it was recorded before versions were kept. */
  readonly recordedAt: Date | null;
  readonly correctedAt: Date;
  readonly reason: string | null;
}

export interface PriceRecord {
  readonly version: number;
  /** Of the engine's price; null for a typed one. */
  readonly engineVersion: number | null;
  /** Null where it was recorded before versions were kept. */
  readonly recordedAt: Date | null;
  /** Newest first. */
  readonly earlierValues: readonly EarlierValue[];
}

/** Earlier values of one price that are returned: nobody corrects a price more often. */
const mostValues = 20;

/** Returns how each price came to be what it is, in the order of the keys, with two queries; undefined for a price that does not exist. */
export async function priceRecords(
  { manager }: Context,
  keys: readonly PriceKey[],
): Promise<(PriceRecord | undefined)[]> {
  const wanted = [keys.map(({ seriesId }) => seriesId), keys.map(({ date }) => date)];
  const records = await manager.rows<PriceKey & Omit<PriceRecord, 'earlierValues'>>(
    `SELECT price.series_id AS "seriesId", price.date::text AS date, price.record_version AS version, price.engine_version AS "engineVersion",
       nullif(price.recorded_at, '-infinity') AS "recordedAt"
     FROM unnest($1::uuid[], $2::date[]) AS wanted (series_id, date)
     JOIN issuances.unit_prices AS price ON price.series_id = wanted.series_id AND price.date = wanted.date`,
    wanted,
  );
  // As for corrections: the operation was public with that value, and the value was not taken out for good.
  const values = await manager.rows<PriceKey & EarlierValue>(
    `SELECT price.series_id AS "seriesId", price.date::text AS date, o.value, nullif(o.recorded_at, '-infinity') AS "recordedAt", o.superseded_at AS "correctedAt",
       coalesce(i.reason, l.reason) AS reason
     FROM unnest($1::uuid[], $2::date[]) AS wanted (series_id, date)
     JOIN issuances.unit_prices AS price ON price.series_id = wanted.series_id AND price.date = wanted.date
     JOIN issuances.series AS series ON series.id = price.series_id
     CROSS JOIN LATERAL (
       SELECT * FROM issuances.unit_prices_versions AS v
       WHERE v.series_id = price.series_id AND v.date = price.date AND v.superseded_at <= price.recorded_at AND v.recorded_at < v.superseded_at
         AND NOT v.voided ORDER BY v.superseded_at DESC LIMIT $3) AS o
     LEFT JOIN shared.imports AS i ON i.id = o.superseded_by LEFT JOIN shared.audit_log AS l ON l.id = o.superseded_by
     WHERE NOT EXISTS (
       SELECT FROM issuances.operations_versions AS op WHERE op.id = series.operation_id AND NOT op.is_public
         AND op.recorded_at < o.superseded_at AND op.superseded_at >= o.superseded_at)
     ORDER BY o.superseded_at DESC`,
    [...wanted, mostValues],
  );
  const byKey = new Map(records.map((record) => [nameOf(record), record]));
  const valuesOf = groupBy(values, nameOf);
  return keys.map((key) => {
    const record = byKey.get(nameOf(key));
    return record && { ...record, earlierValues: valuesOf.get(nameOf(key)) ?? [] };
  });
}

const nameOf = ({ seriesId, date }: PriceKey): string => `${seriesId} ${date}`;
