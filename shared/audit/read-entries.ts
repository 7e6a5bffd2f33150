import type { EntityManager } from 'typeorm';
import type { AuditEntry, AuditOutcome } from './entry.js';

/** Which entries to read; what is left out does not narrow them. */
export interface AuditFilter {
  /** Id of an operator or account, or the e-mail of an operator. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Id of what something was done to. */
  readonly subject?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** From this moment on. */
  readonly from?: Date | undefined;
  /** Before this moment. */
  readonly to?: Date | undefined;
}

/** An entry as it is read. */
export interface StoredEntry extends AuditEntry {
  readonly at: Date;
  /** The moment to the microsecond, for the position of a page. */
  readonly exactAt: string;
}

export interface AuditPage {
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  /** The entry that the page before ended with. */
  readonly after?: Pick<StoredEntry, 'exactAt' | 'id'> | undefined;
}

const columns = `id, at, at::text AS "exactAt", actor_kind AS "actorKind", actor_id AS "actorId", actor_name AS "actorName",
  credential_id AS "credentialId", source, request_id AS "requestId", action, subject_type AS "subjectType",
  subject_id AS "subjectId", outcome, occurrences, before, after, reason`;

/** Entries of the audit log, page by page. */
export function readEntries(
  manager: EntityManager,
  filter: AuditFilter,
  { order, limit, after }: AuditPage,
): Promise<StoredEntry[]> {
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
  const [beyond, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  if (after !== undefined) {
    conditions.push(`(at, id) ${beyond} (${place(after.exactAt)}::timestamptz, ${place(after.id)}::uuid)`);
  }
  return manager.query(
    `SELECT ${columns} FROM shared.audit_log ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
     ORDER BY at ${direction}, id ${direction} LIMIT ${place(limit)}`,
    values,
  );
}
