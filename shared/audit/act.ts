import type { Principal } from '../context.js';
import type { AuditOutcome } from './entry.js';

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
