import type { ActName } from '../../registry.js';
import type { Principal } from '../../kernel/context.js';
import type { AuditOutcome } from './entry.js';

/** The caller who performed an act. */
export type AuditActor = Pick<Principal, 'kind' | 'id' | 'ownerId' | 'name'>;

export interface AuditSubject {
  /** The noun, as `tranche`. */
  readonly type: string;
  /** Its id, or another identifier such as a ticker. */
  readonly id: string;
}

/** The content of an audit entry. Secrets and tax ids in `before` and `after` are hidden: see `auditable`. */
export interface AuditedAct {
  /** The name of the mutation or of the command, as `revokeApiKey`. */
  readonly action: ActName;
  readonly subject?: AuditSubject | undefined;
  /** The state before the act; omitted when there was none. */
  readonly before?: unknown;
  /** The state after the act; omitted when there is none. */
  readonly after?: unknown;
  /** The entry's id, if the changed rows already refer to it. */
  readonly id?: string;
  /** The actor, if not the caller of the request: for example the account that has just logged in. */
  readonly actor?: AuditActor | undefined;
  /** Why the act was done, why it was rejected, or how it failed; tax ids in it show their last digits, e-mails are hidden. */
  readonly reason?: string | undefined;
}

/** An audit entry that has no transaction to be written in. */
export interface AuditNote extends AuditedAct {
  readonly outcome: AuditOutcome;
}
