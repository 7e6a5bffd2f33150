import type { WorkTable } from './work-items.store.js';

/** A queue as operators see it. Its texts are SQL, and refer to the table by its alias. */
export interface WatchedQueue extends Pick<WorkTable, 'table' | 'as' | 'key' | 'dueAt' | 'isOpen'> {
  /** Lower case with hyphens. */
  readonly name: string;
  /** Whether an item that is not due is under a claim. */
  readonly isClaimed: string;
  /** Whether an attempt on an item has failed. */
  readonly isFailing: string;
  readonly attempts: string;
  /** The text of the last error; null where the queue stores none. */
  readonly lastError: string;
  /** Items that are no longer attempted, and the assignments that reopen one. */
  readonly givenUp?: { readonly is: string; readonly reopen: string };
  /** The column that an operator's retry sets to the present; without it items cannot be retried. */
  readonly retryAt?: string;
  /** Whether items can be held back: `isOpen` leaves out those with `quarantined_at`, and `leasedUntil` makes a released one due. */
  readonly quarantine?: Pick<WorkTable, 'leasedUntil'>;
  /** Whether the key is a UUID; otherwise it is a text. */
  readonly hasUuids: boolean;
  readonly topic?: string;
}

export type WorkItemState = 'DUE' | 'CLAIMED' | 'WAITING' | 'GIVEN_UP' | 'QUARANTINED';

/** Options of a queue that is a `WorkTable`. */
type Options = Pick<WatchedQueue, 'name' | 'isFailing' | 'attempts' | 'lastError'> &
  Partial<Pick<WatchedQueue, 'givenUp' | 'topic' | 'hasUuids'>> & {
    readonly canRetry: boolean;
    readonly canQuarantine: boolean;
  };

/** Describes the queue over a `WorkTable` to operators. */
export function watched(work: WorkTable, { canRetry, canQuarantine, ...options }: Options): WatchedQueue {
  const { table, as, key, dueAt, isOpen, leasedUntil } = work;
  return {
    table,
    as,
    key,
    dueAt,
    isOpen,
    isClaimed: `${as}.lease IS NOT NULL`,
    hasUuids: true,
    ...options,
    ...(canRetry && { retryAt: leasedUntil }),
    ...(canQuarantine && { quarantine: { leasedUntil } }),
  };
}
