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
