import type { AuditEntry } from './entry.js';

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
