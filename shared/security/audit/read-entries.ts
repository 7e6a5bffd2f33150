import type { Context } from '../../kernel/context.js';
import type { Manager } from '../../database/manager.js';
import type { AuditEntry, AuditOutcome } from './entry.js';

/** Filters of audit entries; an omitted field does not filter. */
export interface AuditFilter {
  /** Id of an operator or account, or the e-mail of an operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** At this moment or later. */
  readonly from?: Date | undefined;
  /** Before this moment. */
  readonly to?: Date | undefined;
}

export interface StoredEntry extends AuditEntry {
  readonly at: Date;
  /** The timestamp in microseconds, for the position of a page. */
  readonly exactAt: string;
}

export interface AuditPage {
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  readonly after?: Pick<StoredEntry, 'exactAt' | 'id'> | undefined;
}

const columns = `id, at, at::text AS "exactAt", actor_kind AS "actorKind", actor_id AS "actorId", actor_name AS "actorName",
  credential_id AS "credentialId", source, request_id AS "requestId", action, subject_type AS "subjectType",
  subject_id AS "subjectId", outcome, occurrences, before, after, reason`;

export function readEntries(
  manager: Manager,
  filter: AuditFilter,
  { order, limit, after }: AuditPage,
): Promise<StoredEntry[]> {
  const { conditions, values, place } = asked(filter);
  const [beyond, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  if (after !== undefined) {
    conditions.push(`(at, id) ${beyond} (${place(after.exactAt)}::timestamptz, ${place(after.id)}::uuid)`);
  }
  return manager.rows(
    `SELECT ${columns} FROM shared.audit_log ${whereOf(conditions)}
     ORDER BY at ${direction}, id ${direction} LIMIT ${place(limit)}`,
    values,
  );
}

export function countEntries(manager: Manager, filter: AuditFilter): Promise<number> {
  const { conditions, values } = asked(filter);
  return manager.countRows(`SELECT count(*)::float8 AS count FROM shared.audit_log ${whereOf(conditions)}`, values);
}

const whereOf = (conditions: readonly string[]) => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

function asked(filter: AuditFilter) {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  const where = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(place(value)));
  };
  where(filter.actor, (actor) => `(actor_id = ${actor} OR lower(actor_name) = lower(${actor}))`);
  where(filter.action, (action) => `action = ${action}`);
  where(filter.subject, (subject) => `subject_id = ${subject}`);
  where(filter.outcome, (outcome) => `outcome = ${outcome}`);
  where(filter.from, (from) => `at >= ${from}`);
  where(filter.to, (to) => `at < ${to}`);
  return { conditions, values, place };
}

/**
 * Returns the id of the act that brought a row to its present state, looking behind reverts; undefined if there is none. @param action the action of the
 * act @param table a table with versions @param row conditions on the key columns, with the values as $2, …
 */
export async function findActBehind(
  { manager }: Context,
  action: string,
  { table, row, values }: { readonly table: string; readonly row: string; readonly values: readonly unknown[] },
): Promise<string | undefined> {
  const found = await manager.row<{ act: string }>(
    `WITH RECURSIVE behind AS (
       SELECT recorded_by AS act FROM ${table} WHERE ${row}
       UNION
       SELECT v.recorded_by FROM behind JOIN shared.imports i ON i.id = behind.act
       JOIN ${table}_versions v ON v.superseded_by = i.reverts WHERE ${row}
     )
     SELECT act FROM behind JOIN shared.audit_log a ON a.id = act WHERE a.action = $1`,
    [action, ...values],
  );
  return found?.act;
}
