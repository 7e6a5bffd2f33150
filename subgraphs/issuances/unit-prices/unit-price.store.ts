import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { priceReads } from '../../securities/price.store.js';
import { cancelled, isPricedByEngine, redeemed } from '../series/series.store.js';
import type { PricePoint } from './unit-price.js';

export type PriceRow = PricePoint & { readonly seriesId: string };

export const { pricesIn, countPricesIn } = priceReads<PriceRow>({
  name: 'issuances.unit_prices',
  owner: 'series_id',
  columns: 'wanted.id AS "seriesId", price.date::text AS date, price.value, price.projected',
});

/**
 * Returns the current price of each series on a day, in the order of the keys: the newest one up to that day. A repaid series of the engine is worth nothing from its
 * last payment on, like its tranche. Undefined without a price.
 */
export async function currentPrices(
  { manager }: Context,
  keys: readonly { readonly seriesId: string; readonly today: string }[],
): Promise<(PriceRow | undefined)[]> {
  const rows = await manager.rows<PriceRow>(
    `SELECT s.id AS "seriesId", p.projected AND NOT ended AS projected, CASE WHEN ended THEN 0.00000000 ELSE p.value END AS value,
       CASE WHEN ended THEN greatest(p.date, (SELECT max(paid_date) FROM issuances.payments WHERE series_id = s.id)) ELSE p.date END::text AS date
     FROM unnest($1::uuid[], $2::date[]) AS wanted (id, today) JOIN issuances.series s ON s.id = wanted.id
     CROSS JOIN LATERAL (SELECT * FROM issuances.unit_prices WHERE series_id = s.id AND date <= wanted.today ORDER BY date DESC LIMIT 1) AS p
     CROSS JOIN LATERAL (SELECT ${isPricedByEngine('s')} AND s.status IN ('${redeemed}', '${cancelled}') AS ended) AS state`,
    [keys.map(({ seriesId }) => seriesId), keys.map(({ today }) => today)],
  );
  const bySeries = new Map(rows.map((row) => [row.seriesId, row]));
  return keys.map(({ seriesId }) => bySeries.get(seriesId));
}

/** Returns the current price of each series by its id, without those that have none. */
export async function currentPricesOf(
  context: Context,
  series: readonly { readonly id: string }[],
  today: string,
): Promise<ReadonlyMap<string, PricePoint>> {
  const prices = await currentPrices(
    context,
    series.map(({ id }) => ({ seriesId: id, today })),
  );
  return new Map(prices.flatMap((price) => (price === undefined ? [] : [[price.seriesId, price] as const])));
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
  /** Version of the engine's price; null for a typed one. */
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
  // Same conditions as for corrections: the operation was public with that value, and the value was not removed for good.
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
