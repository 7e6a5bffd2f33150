import type { Context } from '../../../shared/context.js';
import { createWorkQueue, joinQueues, type WorkQueue } from '../../../shared/work-queue/work-queue.js';
import type { WorkTable } from '../../../shared/work-queue/work-items.store.js';
import { dueTopic } from './wake.js';

/** A kind of batches, and how they are processed. */
export interface BatchKind {
  readonly name: string;
  readonly table: WorkTable;
  /** Decides a batch in one transaction; does nothing when the lease is no longer valid. */
  readonly process: (context: Context, id: string, lease: string) => Promise<void>;
}

/** Processes batches. Any number of engines may share the work. */
export type ProcessingEngine = WorkQueue;

/** Batches of one kind that a process decides at the same time: a small one need not wait for a large one. */
const lanes = 2;
/** Covers the time from the claim to the lock of the decision with a wide margin. While a batch is being decided, its row is locked as well. */
const leaseMs = 30_000;

/** Returns the batches of a table that are to be decided: at the end of their grace, and when the lease of a process that died has run out. */
export function undecided(table: 'credit_batches' | 'settlement_batches'): WorkTable {
  return {
    table: `credit_assignment.${table}`,
    as: 'batch',
    key: 'id',
    dueAt: 'coalesce(leased_until, process_after)',
    leasedUntil: 'leased_until',
    isOpen: `status = 'SUBMITTED' OR lease IS NOT NULL`,
    onClaim: `status = 'PROCESSING'`,
    columns: 'batch.id',
  };
}

/**
 * Creates the engine of credit and settlement batches. If a process dies, its batch stays in PROCESSING until the lease runs out, and another engine
 * starts it anew: none of its work was committed.
 */
export function createProcessingEngine(context: Context, kinds: readonly BatchKind[]): ProcessingEngine {
  return joinQueues(
    kinds.map(({ name, table, process }) =>
      createWorkQueue<{ readonly id: string }>(context, {
        table,
        work: (own, { id }, { lease }) => process(own, id, lease),
        failure: `A ${name} could not be processed; it is tried again`,
        leaseMs,
        lanes,
        topic: dueTopic,
      }),
    ),
  );
}
