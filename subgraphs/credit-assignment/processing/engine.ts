import type { Context } from '../../../shared/kernel/context.js';
import { messageOf } from '../../../shared/kernel/thrown.js';
import { watched, type WatchedQueue } from '../../../shared/work/queue/watched-queue.js';
import { sqlNow } from '../../../shared/database/statement-time.js';
import { noteFailure, type WorkTable } from '../../../shared/work/queue/work-items.store.js';
import { createWorkQueue, joinQueues, type WorkQueue } from '../../../shared/work/queue/work-queue.js';
import { dueTopic } from './wake.js';

/** A kind of batches, as the engine sees it. */
export interface BatchWork {
  /** Name in log messages. */
  readonly name: string;
  /** Its qualified name. */
  readonly table: string;
  /** Decides a batch in one transaction; does nothing when the lease is no longer valid. */
  process(context: Context, id: string, lease: string): Promise<void>;
}

/** Processes batches. Any number of engines may share the work. */
export type ProcessingEngine = WorkQueue;

/** Batches of one kind that a process decides at the same time, of different originators: large batches of one do not hold up the batches of all others. */
const lanes = 2;
/** Covers the time from the claim to the lock of the decision with a wide margin. While a batch is being decided, its row is locked as well. */
const leaseMs = 30_000;

/**
 * Returns the batches of a kind that are to be decided: at the end of their grace, and when the lease of a process that died has run out. While one is being decided, the
 * others of its originator wait. They do not wait for one that has failed, nor for one that is claimed for longer than an engine claims. A claim ends with `saveBatch`.
 */
export function undecided({ table }: Pick<BatchWork, 'table'>): WorkTable {
  return {
    table,
    as: 'batch',
    key: 'id',
    dueAt: 'coalesce(leased_until, process_after)',
    leasedUntil: 'leased_until',
    isOpen: `(status = 'SUBMITTED' OR lease IS NOT NULL) AND quarantined_at IS NULL`,
    isFree: `NOT EXISTS (SELECT FROM ${table} AS other WHERE other.originator_id = batch.originator_id AND other.lease IS NOT NULL AND other.id <> batch.id
      AND other.leased_until > ${sqlNow} AND other.leased_until <= ${sqlNow} + interval '${leaseMs} milliseconds' AND other.quarantined_at IS NULL AND other.last_error IS NULL)`,
    onClaim: `status = 'PROCESSING', attempts = batch.attempts + 1`,
    columns: 'batch.id',
  };
}

/** If a process dies, its batch stays in PROCESSING until the lease runs out, and another engine starts it anew: none of its work was committed. */
export function createProcessingEngine(context: Context, kinds: readonly BatchWork[]): ProcessingEngine {
  return joinQueues(
    kinds.map((kind) =>
      createWorkQueue<{ readonly id: string }>(context, {
        table: undecided(kind),
        work: (own, { id }, { lease }) => processNoting(own, kind, { id, lease }),
        failure: `A ${kind.name} could not be processed; it will be retried`,
        leaseMs,
        lanes,
        topic: dueTopic,
      }),
    ),
  );
}

async function processNoting(
  context: Context,
  kind: BatchWork,
  item: { readonly id: string; readonly lease: string },
): Promise<void> {
  try {
    await kind.process(context, item.id, item.lease);
  } catch (error) {
    // The queue logs the failure itself; a note that cannot be written must not hide it.
    await noteFailure(context, undecided(kind), item, messageOf(error)).catch(() => undefined);
    throw error;
  }
}

/** A batch whose processing fails is due again when its lease ends, so a retry would change nothing; one that fails whenever it is processed can be held back. */
export function watchedBatches(kind: Pick<BatchWork, 'name' | 'table'>): WatchedQueue {
  return watched(undecided(kind), {
    name: `${kind.name.replaceAll(' ', '-')}es`,
    isFailing: 'batch.last_error IS NOT NULL OR batch.attempts > 1',
    attempts: 'batch.attempts',
    lastError: 'batch.last_error',
    topic: dueTopic,
    canRetry: false,
    canQuarantine: true,
  });
}
