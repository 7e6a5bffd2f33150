import type { Context } from '../../../shared/kernel/context.js';

/** A price of a day, with 8 decimals. */
export interface DayPrice {
  readonly date: string;
  readonly value: string;
}

/** The newest unit price of a series that the current act added, and the newest one that it changed. */
export interface ChangedPrices {
  readonly operationId: string;
  readonly seriesId: string;
  readonly seriesTicker: string;
  readonly added: DayPrice | null;
  readonly changed: DayPrice | null;
}

/** Kinds of updates whose records have ids. */
export const recordKinds = ['DOCUMENT', 'PAYMENT', 'COMMUNICATION'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Records of one kind of an operation that the current act added or changed. */
export interface ChangedRecords {
  readonly kind: RecordKind;
  readonly operationId: string;
  /** The series that they belong to; null for records of the whole operation. */
  readonly seriesTicker: string | null;
  readonly isCorrection: boolean;
  /** The newest day of a record. */
  readonly newest: string;
  /** Ids of the newest records. */
  readonly ids: readonly string[];
}

/** How many ids of records are listed together. */
export const mostIds = 100;

/** What the current transaction records its changes under: see `shared.keep_versions`. Evaluated once, and not for each row. */
const act = `act AS MATERIALIZED (SELECT shared.version_moment() AS moment, shared.version_act() AS id)`;
const isOfAct = (row: string) =>
  `${row}.recorded_at = (SELECT moment FROM act) AND ${row}.recorded_by IS NOT DISTINCT FROM (SELECT id FROM act)`;

const newestPrice = (condition: string) => `(
  SELECT json_build_object('date', price.date, 'value', price.value::text) FROM issuances.unit_prices AS price
  WHERE price.series_id = series.id AND ${isOfAct('price')} AND ${condition} ORDER BY price.date DESC LIMIT 1)`;

/** Returns what the current act did to the unit prices of operations: a row for each series that has new or changed ones. */
export function changedPrices({ manager }: Context, operationIds: readonly string[]): Promise<ChangedPrices[]> {
  return manager.rows(
    `WITH ${act}, found AS (
       SELECT operation_id AS "operationId", series.id AS "seriesId", ticker AS "seriesTicker", number,
         ${newestPrice('price.record_version = 1')} AS added, ${newestPrice('price.record_version > 1')} AS changed
       FROM issuances.series AS series WHERE operation_id = ANY ($1)
     )
     SELECT "operationId", "seriesId", "seriesTicker", added, changed FROM found
     WHERE added IS NOT NULL OR changed IS NOT NULL ORDER BY "operationId", number`,
    [operationIds],
  );
}

/** `date` is the day that readers place the record by; NULL for one that is not published. */
const records = {
  DOCUMENT: {
    table: 'documents',
    series: 'NULL::uuid',
    date: `CASE WHEN r.is_public THEN coalesce(r.reference_date, (r.created_at AT TIME ZONE 'America/Sao_Paulo')::date) END`,
  },
  PAYMENT: { table: 'payments', series: 'r.series_id', date: 'r.due_date' },
  COMMUNICATION: { table: 'communications', series: 'NULL::uuid', date: 'r.date' },
} as const satisfies Record<RecordKind, object>;

/**
 * Returns the records of operations that the current act added or changed.
 * @param operationIds by kind, those to look at
 * @param correctedIds those of the records that it corrected
 */
export function changedRecords(
  { manager }: Context,
  operationIds: Readonly<Record<RecordKind, readonly string[]>>,
  correctedIds: readonly string[],
): Promise<ChangedRecords[]> {
  const ofKind = (kind: RecordKind, index: number) => {
    const { table, series, date } = records[kind];
    return `SELECT '${kind}' AS kind, ${String(index)} AS position, r.operation_id, ${series} AS series_id, r.id, ${date} AS date
      FROM issuances.${table} AS r WHERE r.operation_id = ANY ($${String(index + 2)}) AND ${isOfAct('r')}`;
  };
  return manager.rows(
    `WITH ${act}, record AS (${recordKinds.map(ofKind).join(' UNION ALL ')})
     SELECT kind, record.operation_id AS "operationId", series.ticker AS "seriesTicker", record.id = ANY ($1) AS "isCorrection",
       max(date)::text AS newest, (array_agg(record.id::text ORDER BY date DESC, record.id))[1:${String(mostIds)}] AS ids
     FROM record LEFT JOIN issuances.series AS series ON series.id = record.series_id
     WHERE date IS NOT NULL GROUP BY kind, position, record.operation_id, series.number, series.ticker, "isCorrection"
     ORDER BY position, series.number NULLS FIRST`,
    [correctedIds, ...recordKinds.map((kind) => operationIds[kind])],
  );
}
