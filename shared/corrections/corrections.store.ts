import type { Context } from '../context.js';
import { readTogether } from '../database/read-together.js';
import { momentText, type Place } from './candidates.store.js';
import type { CorrectionReading } from './source.js';

/** A correction of published data: its values before and after. */
export interface CorrectionRow extends Place {
  readonly subject: string | null;
  readonly record: string | null;
  readonly date: string | null;
  readonly recordedAt: Date;
  readonly before: Readonly<Record<string, unknown>>;
  /** Null if the record was removed. */
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
  readonly recordedBy: string | null;
  readonly importId: string | null;
  readonly fileName: string | null;
  readonly line: number | null;
}

/** Reads the corrections among some candidates, in the order of the candidates. */
export type ReadChanges = (
  context: Context,
  scope: readonly (string | null)[],
  places: readonly Place[],
) => Promise<CorrectionRow[]>;

/**
 * Creates the read of corrections at the positions of candidates: one statement for each kind among them.
 * @param scopes how many parameters the sources filter by
 */
export function changeReader(readings: readonly CorrectionReading[], scopes: number): ReadChanges {
  const statements = readings.map((reading) => ({ kind: reading.kind, sql: changesOf(reading, scopes) }));
  return async ({ manager }, scope, places) => {
    const found = await Promise.all(
      statements.map(async ({ kind, sql }) => {
        const own = places.filter((place) => place.kind === kind);
        if (own.length === 0) return [];
        return manager.rows<CorrectionRow>(sql, [
          ...scope,
          own.map(({ at }) => at),
          ...(own[0]?.key ?? []).map((_column, index) => own.map(({ key }) => key[index])),
        ]);
      }),
    );
    const byPlace = new Map(found.flat().map((row) => [nameOf(row), row]));
    return places.flatMap((place) => byPlace.get(nameOf(place)) ?? []);
  };
}

const nameOf = ({ at, kind, key }: Place): string => JSON.stringify([at, kind, ...key]);

function changesOf(
  { candidates: { table, at, key, condition }, select, row }: CorrectionReading,
  scopes: number,
): string {
  const own = (place: number) => `$${String(scopes + place)}`;
  const columns = [{ column: at, type: 'timestamptz' }, ...key];
  const arrays = columns.map(({ type }, index) => `${own(index + 1)}::${type}[]`);
  const names = columns.map((_column, index) => `k${String(index)}`);
  const same = columns.map(({ column }, index) => `r.${column} = place.k${String(index)}`);
  // The limit makes PostgreSQL look up each position by index: at most one row matches.
  const from = `unnest(${arrays.join(', ')}) AS place (${names.join(', ')}) CROSS JOIN LATERAL (
    SELECT * FROM ${table} r WHERE ${same.join(' AND ')} AND ${condition('r')} LIMIT 1) ${row}`;
  return `
    SELECT c.kind, c.subject, c.record, c.date, c.at AS "recordedAt", ${momentText('c.at')} AS at, c.key, c.before, c.after, c.line,
      coalesce(i.reason, l.reason) AS reason, coalesce(i.actor_name, l.actor_name, l.actor_id) AS "recordedBy",
      i.id AS "importId", i.files -> c.file ->> 'name' AS "fileName"
    FROM (${select(from)}) AS c
    LEFT JOIN shared.imports i ON i.id = c.act LEFT JOIN shared.audit_log l ON l.id = c.act`;
}

/** Corrections of one kind and subject made by the current act. */
export interface ActCorrections {
  readonly kind: string;
  readonly subject: string;
  /** The number of records; `changed` leaves out those that were removed. */
  readonly records: number;
  readonly changed: number;
  /** The newest day that one of them is about. */
  readonly newest: string | null;
  /** The distinct first columns of their keys, in order: the first 1,000. */
  readonly ids: readonly string[];
}

/** Creates the read of what the current act (`beginAct`) has corrected so far, in its transaction. */
export function actCorrectionsReader(
  readings: readonly CorrectionReading[],
  scopes: number,
): (tx: Context) => Promise<ActCorrections[]> {
  const all = readings.map(({ select }) => select()).join(' UNION ALL ');
  const sql = `SELECT kind, subject, count(*)::integer AS records, (count(*) FILTER (WHERE after IS NOT NULL))::integer AS changed,
      max(date) AS newest, (array_agg(DISTINCT key[1]))[1:1000] AS ids
    FROM (${all}) AS correction WHERE act = shared.version_act() AND subject IS NOT NULL
    GROUP BY kind, subject ORDER BY kind, subject`;
  return ({ manager }) => manager.rows<ActCorrections>(sql, Array<null>(scopes).fill(null));
}

/** Loads the reason of an act by its id, if it has one. */
export const reasonOfAct = readTogether<string>(async ({ manager }, ids) => {
  const rows = await manager.rows<{ id: string; reason: string }>(
    `SELECT l.id, coalesce(i.reason, l.reason) AS reason FROM shared.audit_log l LEFT JOIN shared.imports i ON i.id = l.id
     WHERE l.id = ANY ($1) AND coalesce(i.reason, l.reason) IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
});
