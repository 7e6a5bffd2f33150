import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';

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
