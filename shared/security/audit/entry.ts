import type { PrincipalKind } from '../principal-kind.js';

export const auditOutcomes = ['DONE', 'REFUSED', 'FAILED'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Kind of the caller of an operation; `SEVERAL` where entries of several callers were combined into one. */
export type ActorKind = PrincipalKind | 'SEVERAL';

/** A row of the audit log, without its timestamp, which the database adds. */
export interface AuditEntry {
  readonly id: string;
  readonly actorKind: ActorKind;
  readonly actorId: string;
  readonly actorName: string | null;
  readonly credentialId: string;
  readonly source: string;
  readonly requestId: string;
  readonly action: string;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly outcome: AuditOutcome;
  readonly occurrences: number;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
}

export type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

/** Adds entries to the audit log in one statement; entries that already exist stay unchanged. */
export async function addEntries(run: RunStatement, entries: readonly AuditEntry[]): Promise<void> {
  await run(
    `INSERT INTO shared.audit_log (id, actor_kind, actor_id, actor_name, credential_id, source, request_id, action,
       subject_type, subject_id, outcome, occurrences, before, after, reason)
     SELECT id, "actorKind", "actorId", "actorName", "credentialId", source, "requestId", action, "subjectType", "subjectId",
       outcome, occurrences, before, after, reason
     FROM jsonb_to_recordset($1::jsonb) AS entry(id uuid, "actorKind" text, "actorId" text, "actorName" text,
       "credentialId" text, source text, "requestId" text, action text, "subjectType" text, "subjectId" text, outcome text,
       occurrences integer, before jsonb, after jsonb, reason text)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(entries)],
  );
}
