import { schedule, type ScheduledTask } from 'node-cron';
import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { tellFailed } from '../../../shared/database/tell-unavailable.js';
import { newId } from '../../../shared/ids.js';
import { cronWords } from '../../../shared/scheduler.js';
import { claimBatches, nextDue } from './claim.store.js';
import { dueTopic } from './wake.js';

/** A kind of batches, as the engine sees it. */
export interface BatchWork {
  /** As log messages call it. */
  readonly name: string;
  readonly table: string;
  /** Decides a batch in one transaction; does nothing when the lease is no longer valid. */
  process(context: Context, id: string, lease: string): Promise<void>;
}

/** Processes batches. Any number of engines may share the work. */
export interface ProcessingEngine {
  /** Processes due batches now, on every wake-up, when the next batch is due, and every few seconds. */
  start(): Promise<void>;
  /** Processes all batches that are due now. */
  drain(): Promise<void>;
  /** Claims nothing more, and finishes the work under way. */
  stop(): Promise<void>;
}

/** Batches of one kind that a process decides at the same time: a small one need not wait for a large one. */
const lanesOfKind = 2;
/** Covers the time from the claim to the lock of the decision with a wide margin. While a batch is being decided, its row is locked as well. */
const leaseMs = 30_000;
/** The shortest timer; otherwise a batch that others are claiming would be polled without a pause. */
const leastWaitMs = 100;
const mostWaitMs = 60_000;

/**
 * Creates the engine of credit and settlement batches, which claims one batch at a time and has it decided. If a process dies, its
 * batch stays in PROCESSING until the lease runs out, and another engine starts it anew: none of its work was committed.
 */
export function createProcessingEngine(context: Context, kinds: readonly BatchWork[]): ProcessingEngine {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let task: ScheduledTask | undefined;
  let stopListening: (() => Promise<void>) | undefined;

  const lanes = kinds.flatMap((kind) =>
    Array.from({ length: lanesOfKind }, () => coalesced(() => workOff(context, kind, () => stopping))),
  );
  const drain = async () => {
    await Promise.all(lanes.map((lane) => lane()));
  };
  const look = coalesced(async () => {
    await drain();
    clearTimeout(timer);
    const waitMs = await untilNext(context, kinds);
    if (!stopping && waitMs !== undefined) timer = setTimeout(() => void look(), waitMs);
  });

  return {
    start: async () => {
      stopListening = await context.bus.listen(dueTopic, () => void look());
      const words = { name: 'credit-assignment.processing', logger: cronWords(context.log) };
      task = schedule('*/5 * * * * *', () => void look(), words);
      void look();
    },
    drain,
    stop: async () => {
      stopping = true;
      await task?.destroy();
      await stopListening?.();
      await look();
      clearTimeout(timer);
    },
  };
}

/** Processes batches of a kind, one after the other, until none is due or the engine stops. */
async function workOff(context: Context, kind: BatchWork, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const lease = newId();
    let claimed: readonly string[] = [];
    try {
      const until = new Date(context.clock.now().getTime() + leaseMs);
      claimed = await claimBatches(context, kind, { lease, until, limit: 1 });
      for (const id of claimed) await kind.process({ ...context, loaders: new Map() }, id, lease);
    } catch (error) {
      tellFailed(context.log, error, `A ${kind.name} could not be processed; it will be retried`, { batches: claimed });
    }
    if (claimed.length === 0) return;
  }
}

/** Returns the milliseconds until a batch is due; undefined when none waits. */
async function untilNext(context: Context, kinds: readonly BatchWork[]): Promise<number | undefined> {
  try {
    const due = await Promise.all(kinds.map((kind) => nextDue(context, kind)));
    const times = due.flatMap((at) => at?.getTime() ?? []);
    if (times.length === 0) return undefined;
    const waitMs = Math.min(...times) - context.clock.now().getTime();
    return Math.min(Math.max(waitMs, leastWaitMs), mostWaitMs);
  } catch (error) {
    tellFailed(context.log, error, 'Could not determine when the next batch is due');
    return undefined;
  }
}
