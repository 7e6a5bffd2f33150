import type { Context } from '../../../shared/kernel/context.js';
import { readTogether } from '../../../shared/database/read-together.js';
import type { Kind } from '../../../shared/import/model/kind.js';
import { identityOf } from '../../../shared/import/write/read-back.js';
import { keptFields } from '../../../shared/import/write/sql.js';
import { accounts, payments, permittedInvestments } from '../import/model/cash.js';
import { covenants, provisioningBands } from '../import/model/credits.js';
import { operations, series } from '../import/model/operations.js';
import { trusteeUnitPrices, unitPrices } from '../import/model/prices.js';
import {
  assemblies,
  communications,
  documents,
  guarantees,
  obligations,
  participants,
} from '../import/model/publications.js';

export interface ActCorrections {
  readonly kind: string;
  readonly operation: string;
  /** The newest day that one of the records is about. */
  readonly newest: string | null;
  /** The distinct first columns of their keys, in order: the first 1,000. */
  readonly ids: readonly string[];
}

/** A kind of record whose changes can be corrections. SQL is over `o`, the superseded row, `n`, the row that replaced it, and `op`, the operation. */
interface Source {
  readonly kind: Kind;
  readonly date?: string;
  /** Names of fields whose changes are no corrections, in the input. */
  readonly ignored?: readonly string[];
  /** Names of further fields, whose changes are no corrections while `when` holds. */
  readonly routine?: { readonly fields: readonly string[]; readonly when: string };
  /** Whether `o` was published, where not every record of a public operation is. */
  readonly where?: string;
}

/** Statuses follow the life cycle of their record; a payment is made once; balances and positions are of a new day. Credits are left out: only totals of them are published. */
export const sources: readonly Source[] = [
  { kind: operations, ignored: ['status', 'public'] },
  { kind: series, ignored: ['status', 'raisedAmount', 'subscribedQuotas'] },
  { kind: unitPrices, date: 'o.date' },
  { kind: trusteeUnitPrices, date: 'o.date' },
  { kind: guarantees, ignored: ['status', 'externalId'] },
  {
    kind: documents,
    date: 'o.reference_date',
    ignored: ['externalId', 'public'],
    where: 'o.is_public AND issuances.is_document_public(o.operation_id, o.external_id)',
  },
  { kind: obligations, date: 'o.due_date', ignored: ['externalId'] },
  {
    kind: payments,
    date: 'o.due_date',
    routine: {
      fields: ['paidDate', 'interestValue', 'principalValue', 'totalValue'],
      when: 'o.paid_date IS NULL AND n.paid_date IS NOT NULL',
    },
  },
  {
    kind: accounts,
    date: 'o.balance_date',
    ignored: ['externalId'],
    routine: { fields: ['balance', 'balanceDate'], when: 'n.balance_date > o.balance_date' },
  },
  {
    kind: permittedInvestments,
    date: 'o.position_date',
    ignored: ['externalId'],
    routine: { fields: ['investedAmount', 'positionDate'], when: 'n.position_date > o.position_date' },
  },
  { kind: assemblies, date: 'o.date', ignored: ['status', 'externalId'] },
  { kind: communications, date: 'o.date', ignored: ['externalId'] },
  { kind: participants },
  { kind: provisioningBands },
  { kind: covenants, ignored: ['externalId'] },
];

/** Runs in the act's transaction. Returns, of public operations, records that were removed, and those with a field that had a value and has another one, or none. @param changed the kinds that the act wrote */
export function readActCorrections({ manager }: Context, changed: readonly Source[]): Promise<ActCorrections[]> {
  return manager.rows(
    `SELECT kind, operation, max(date)::text AS newest, (array_agg(DISTINCT id))[1:1000] AS ids
     FROM (${changed.map(correctionsIn).join(' UNION ALL ')}) AS correction
     GROUP BY kind, operation ORDER BY kind, operation`,
  );
}

function correctionsIn({ kind, date = 'NULL', where = 'true', ignored = [], routine }: Source): string {
  const versions = `${kind.table}_versions`;
  const key = identityOf(kind);
  const same = key.map((column) => `${column} = o.${column}`).join(' AND ');
  const fields = keptFields(kind).filter(({ name }) => !ignored.includes(name));
  const columns = [...new Set([...key, ...fields.map(({ column }) => column)])].join(', ');
  const isCorrected = fields.map(({ name, column }) => {
    const differs = `o.${column} IS NOT NULL AND o.${column} IS DISTINCT FROM n.${column}`;
    return routine?.fields.includes(name) === true ? `${differs} AND (${routine.when}) IS NOT TRUE` : differs;
  });
  const joins = key.includes('series_id')
    ? 'JOIN issuances.series s ON s.id = o.series_id JOIN issuances.operations op ON op.id = s.operation_id'
    : `JOIN issuances.operations op ON op.id = o.${kind === operations ? 'id' : 'operation_id'}`;
  // Values that an act wrote and changed again were never published; nor was data of an operation that was not public before the change.
  return `
    SELECT '${kind.name}' AS kind, op.ticker AS operation, (${date})::date AS date, o.${key[0] ?? 'id'}::text AS id
    FROM ${versions} o ${joins}
    LEFT JOIN LATERAL (
      SELECT true AS found, ${columns} FROM ${kind.table} WHERE ${same} AND recorded_at <= o.superseded_at
      UNION ALL SELECT true, ${columns} FROM ${versions}
      WHERE ${same} AND recorded_at <= o.superseded_at AND superseded_at > o.superseded_at) n ON true
    WHERE o.superseded_by = shared.version_act() AND o.recorded_at < o.superseded_at AND ${where}
      AND op.is_public AND NOT EXISTS (
        SELECT FROM issuances.operations_versions v WHERE v.id = op.id AND NOT v.is_public
          AND v.recorded_at < o.superseded_at AND v.superseded_at >= o.superseded_at)
      AND (n.found IS NULL OR NOT o.voided AND (${isCorrected.map((one) => `(${one})`).join(' OR ')}))`;
}

export const reasonOfAct = readTogether<string>(async ({ manager }, ids) => {
  const rows = await manager.rows<{ id: string; reason: string }>(
    `SELECT l.id, coalesce(i.reason, l.reason) AS reason FROM shared.audit_log l LEFT JOIN shared.imports i ON i.id = l.id
     WHERE l.id = ANY ($1) AND coalesce(i.reason, l.reason) IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
});

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
  readonly ids: readonly string[];
}

/** How many ids of records are listed together. */
export const mostIds = 100;

/** Moment and act of the current transaction's changes: see `shared.keep_versions`. Evaluated once, and not for each row. */
const act = `act AS MATERIALIZED (SELECT shared.version_moment() AS moment, shared.version_act() AS id)`;
const isOfAct = (row: string) =>
  `${row}.recorded_at = (SELECT moment FROM act) AND ${row}.recorded_by IS NOT DISTINCT FROM (SELECT id FROM act)`;

const newestPrice = (condition: string) => `(
  SELECT json_build_object('date', price.date, 'value', price.value::text) FROM issuances.unit_prices AS price
  WHERE price.series_id = series.id AND ${isOfAct('price')} AND ${condition} ORDER BY price.date DESC LIMIT 1)`;

/** Returns the new and changed unit prices of operations in the current act: a row for each series that has any. */
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

/** @param operationIds by kind, the operations to look at @param correctedIds ids of the records that the act corrected */
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
