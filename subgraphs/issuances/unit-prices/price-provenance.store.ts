import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';

/** A price of a series by its day. */
export interface PriceKey {
  readonly seriesId: string;
  readonly date: string;
}

/** A value that a price had before it was corrected. */
export interface EarlierValue {
  readonly value: string;
  /** Null where it was recorded before versions were kept. */
  readonly recordedAt: Date | null;
  readonly correctedAt: Date;
  readonly reason: string | null;
}

/** How a price came to be what it is. */
export interface PriceRecord {
  readonly version: number;
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
    `SELECT price.series_id AS "seriesId", price.date::text AS date, price.record_version AS version,
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
