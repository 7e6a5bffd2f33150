import type { Context } from '../context.js';
import { readTogether } from '../database/read-together.js';

/** What something was, and what it became, of what had been published. */
export interface CorrectionRow {
  readonly kind: string;
  readonly subject: string | null;
  readonly record: string | null;
  readonly date: string | null;
  readonly recordedAt: Date;
  /** The same moment with all its digits, for a cursor. */
  readonly at: string;
  readonly key: string;
  readonly before: Readonly<Record<string, unknown>>;
  /** Null for what was removed. */
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
  readonly recordedBy: string | null;
  readonly importId: string | null;
  readonly fileName: string | null;
  readonly line: number | null;
}

/** Which corrections are wanted. */
export interface CorrectionQuery {
  /** What the sources narrow by, as `$1` and so on. */
  readonly scope: readonly (string | null)[];
  /** This kind alone; null for all. */
  readonly kind: string | null;
  /** Bounds of the moment of recording, both counted. */
  readonly from: string | null;
  readonly to: string | null;
  /** Place after which the list goes on: moment, kind and key. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Makes the statement that reads corrections of some sources, newest first.
 * @param scopes how many parameters the sources narrow by
 */
export function correctionReader(
  sources: readonly string[],
  scopes: number,
): (context: Context, query: CorrectionQuery) => Promise<CorrectionRow[]> {
  const own = (place: number) => `$${String(scopes + place)}`;
  const sql = `
    SELECT c.kind, c.subject, c.record, c.date, c.at AS "recordedAt", c.key, c.before, c.after, c.line,
      to_char(c.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, coalesce(i.reason, l.reason) AS reason,
      coalesce(i.actor_name, l.actor_name, l.actor_id) AS "recordedBy", i.id AS "importId", i.files -> c.file ->> 'name' AS "fileName"
    FROM (
      SELECT * FROM (${sources.join(' UNION ALL ')}) AS correction
      WHERE at BETWEEN coalesce(${own(1)}::timestamptz, '-infinity') AND coalesce(${own(2)}::timestamptz, 'infinity')
        AND kind = coalesce(${own(7)}, kind)
        AND (${own(3)}::timestamptz IS NULL OR (at, kind COLLATE "C", key COLLATE "C") < (${own(3)}, ${own(4)}, ${own(5)}))
      ORDER BY at DESC, kind COLLATE "C" DESC, key COLLATE "C" DESC LIMIT ${own(6)}
    ) AS c
    LEFT JOIN shared.imports i ON i.id = c.act LEFT JOIN shared.audit_log l ON l.id = c.act
    ORDER BY c.at DESC, c.kind COLLATE "C" DESC, c.key COLLATE "C" DESC`;
  return ({ manager }, { scope, kind: only, from, to, after = [], limit }) => {
    const [at = null, kind = null, key = null] = after;
    return manager.query<CorrectionRow[]>(sql, [...scope, from, to, at, kind, key, limit, only]);
  };
}

/** Corrections of one kind and subject that the act under way has made. */
export interface ActCorrections {
  readonly kind: string;
  readonly subject: string;
  /** How many records; `changed` leaves out those that were removed. */
  readonly records: number;
  readonly changed: number;
  /** The newest day that one of them is about. */
  readonly newest: string | null;
}

/** Makes the read of what the act under way (`beginAct`) has corrected so far, in its transaction. */
export function actCorrectionsReader(
  sources: readonly string[],
  scopes: number,
): (tx: Context) => Promise<ActCorrections[]> {
  const sql = `SELECT kind, subject, count(*)::integer AS records, (count(*) FILTER (WHERE after IS NOT NULL))::integer AS changed,
      max(date) AS newest
    FROM (${sources.join(' UNION ALL ')}) AS correction WHERE act = shared.version_act() AND subject IS NOT NULL
    GROUP BY kind, subject ORDER BY kind, subject`;
  return ({ manager }) => manager.query<ActCorrections[]>(sql, Array<null>(scopes).fill(null));
}

/** Why an act was done, where it has a reason; by its id. */
export const reasonOfAct = readTogether<string>(async ({ manager }, ids) => {
  const rows = await manager.query<{ id: string; reason: string }[]>(
    `SELECT l.id, coalesce(i.reason, l.reason) AS reason FROM shared.audit_log l LEFT JOIN shared.imports i ON i.id = l.id
     WHERE l.id = ANY ($1) AND coalesce(i.reason, l.reason) IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
});
