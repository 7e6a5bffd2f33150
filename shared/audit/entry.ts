import type { Principal } from '../context.js';

export const auditOutcomes = ['DONE', 'REFUSED', 'FAILED'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Who did something. */
export type AuditActor = Pick<Principal, 'kind' | 'id' | 'ownerId' | 'name'>;

/** What something was done to. */
export interface AuditSubject {
  /** The noun, as `tranche`. */
  readonly type: string;
  /** Its id, or what else it is known by: a ticker, say. */
  readonly id: string;
}

/** What is to be kept of an act. Secrets and tax ids in `before` and `after` are hidden: see `auditable`. */
export interface AuditedAct {
  /** The name of the mutation, or of the command, as `revokeApiKey`. */
  readonly action: string;
  readonly subject?: AuditSubject | undefined;
  /** What was there before; left out where there was nothing. */
  readonly before?: unknown;
  /** What is there now; left out where there is nothing. */
  readonly after?: unknown;
  /** The entry's id, where what the act changes names it already. */
  readonly id?: string;
  /** Who did it, where that is not the caller of the request: the account that has just logged in, say. */
  readonly actor?: AuditActor | undefined;
  /** Why it was done, why it was refused, or how it failed; tax ids in it show their last digits. */
  readonly reason?: string | undefined;
}

/** What became of something that has no transaction to be written in. */
export interface AuditNote extends AuditedAct {
  readonly outcome: AuditOutcome;
}

/** A row of the audit log, without the moment, which the database adds. */
export interface AuditEntry {
  readonly id: string;
  readonly actorKind: string;
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
