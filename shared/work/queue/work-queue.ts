import { coalesced } from '../../memo.js';
import type { Context } from '../../kernel/context.js';
import { logFailed } from '../../database/log-unavailable.js';
import { newId } from '../../kernel/ids.js';
import { claimItems, untilNextDue, type WorkTable } from './work-items.store.js';
import type { DatabaseGauge } from '../../kernel/metrics.js';
import { oldestFailingSeconds } from './watched-queue.store.js';
import type { WatchedQueue } from './watched-queue.js';

/** Works off the items of a table. Any number of queues, in any number of processes, share the work. */
export interface WorkQueue {
  /** Works off due items now, on every wake-up, when the next one is due, and every `pollMs`. */
  start(): Promise<void>;
  drain(): Promise<void>;
  /** Claims nothing more, and finishes the work under way. */
  stop(): Promise<void>;
}

export interface Hold {
  /** The token of the claim: what ends the work on the item writes only while the item has it (`endClaim`). */
  readonly lease: string;
  /** Aborted well before the lease runs out: by then a call to the outside must have ended. */
  readonly deadline: AbortSignal;
  /** Aborted when the queue stops: long work ends after its current step. */
  readonly stopping: AbortSignal;
}

export interface WorkQueueOptions<T extends { readonly id: string }> {
  readonly table: WorkTable;
  /** If it throws, the error is logged and the item due again after its lease. @param context of its own, without a transaction */
  readonly work: (context: Context, item: T, hold: Hold) => Promise<void>;
  readonly failure: string;
  readonly leaseMs: number;
  /** Items that this process works on at the same time; 1 by default. */
  readonly lanes?: number;
  readonly topic?: string;
  /** How often it looks for items without being woken. */
  readonly pollMs?: number;
  /** Receives each error, of an item or of a claim, besides the log. */
  readonly onError?: (error: unknown) => void;
}

/** The shortest timer; otherwise an item that others are claiming would be polled without a pause. */
const leastWaitMs = 100;
/** The wait for an item that has been due for as long and cannot be claimed: another transaction has locked it. */
const lockedWaitMs = 1_000;
/** The part of a lease after which the work on its item must have ended. */
const deadlineShare = 0.75;

/** Creates a queue over a table. It claims an item only when a lane is free, so that a lease covers the work on only one item. */
export function createWorkQueue<T extends { readonly id: string }>(
  context: Context,
  options: WorkQueueOptions<T>,
): WorkQueue {
  const { table, topic, pollMs = 5_000 } = options;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const lanes = createLanes(context, options, stopping.signal, () => void look());
  let isStarted = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => Promise<void>) | undefined;

  const wait = (ms: number) => {
    clearTimeout(timer);
    if (isStarted && !isStopping()) timer = setTimeout(() => void look(), Math.min(Math.max(ms, leastWaitMs), pollMs));
  };
  const look = coalesced(async () => {
    try {
      while (!isStopping() && (await lanes.fill()));
      // With all lanes busy, the first one that is free looks again.
      if (isStarted && !isStopping() && lanes.free() > 0) {
        const dueMs = (await untilNextDue(context, table)) ?? pollMs;
        wait(dueMs < -lockedWaitMs ? lockedWaitMs : dueMs);
      }
      hasFailed = false;
    } catch (error) {
      options.onError?.(error);
      const about = { queue: table.table };
      if (!hasFailed) logFailed(context.log, error, 'Work items could not be claimed; this will be retried', about);
      hasFailed = true;
      wait(pollMs);
    }
  });

  return {
    start: async () => {
      if (topic !== undefined) stopListening = await context.bus.listen(topic, () => void look());
      isStarted = true;
      void look();
    },
    drain: async () => {
      do await look();
      while (await lanes.empty());
    },
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await stopListening?.();
      // A claim that was under way has begun its items by then.
      await look();
      await lanes.empty();
    },
  };
}

/** Creates the lanes of a queue. @param onFree called whenever the work on an item has ended */
function createLanes<T extends { readonly id: string }>(
  context: Context,
  { table, work, failure, leaseMs, lanes = 1, onError }: WorkQueueOptions<T>,
  stopping: AbortSignal,
  onFree: () => void,
) {
  const underWay = new Set<Promise<void>>();
  const free = () => lanes - underWay.size;
  const workOn = async (item: T, hold: Hold) => {
    try {
      await work({ ...context, loaders: new Map() }, item, hold);
    } catch (error) {
      onError?.(error);
      logFailed(context.log, error, failure, { item: item.id });
    }
  };
  const begin = (item: T, hold: Hold) => {
    const begun = workOn(item, hold).finally(() => {
      underWay.delete(begun);
      onFree();
    });
    underWay.add(begun);
  };
  return {
    free,
    /** Claims an item for each free lane, and begins the work on them. @returns whether more may be due for a lane that is free */
    fill: async (): Promise<boolean> => {
      // Whether an item is free may depend on the one before it.
      const limit = table.isFree === undefined ? free() : Math.min(1, free());
      if (limit <= 0) return false;
      // Counted from before the claim, and by this process' monotonic clock: it ends before the lease whatever the clocks show.
      const overMs = performance.now() + leaseMs * deadlineShare;
      const lease = newId();
      const items = await claimItems<T>(context, table, { lease, leaseMs, limit });
      for (const item of items) {
        const deadline = AbortSignal.timeout(Math.max(0, Math.floor(overMs - performance.now())));
        begin(item, { lease, deadline, stopping });
      }
      return items.length === limit;
    },
    /** Waits until the work under way has ended. @returns whether there was any */
    empty: async (): Promise<boolean> => {
      const any = underWay.size > 0;
      await Promise.all(underWay);
      return any;
    },
  };
}

export function joinQueues(queues: readonly WorkQueue[]): WorkQueue {
  const all = async (act: (queue: WorkQueue) => Promise<void>) => {
    await Promise.all(queues.map(act));
  };
  return {
    start: () => all((queue) => queue.start()),
    drain: () => all((queue) => queue.drain()),
    stop: () => all((queue) => queue.stop()),
  };
}

/** Returns how long to wait after an attempt, in milliseconds: `firstMs` after the first, then twice as long each time, `mostMs` at most. */
export function backoffMs(attempt: number, { firstMs, mostMs }: { readonly firstMs: number; readonly mostMs: number }) {
  return Math.min(firstMs * 2 ** Math.min(Math.max(attempt - 1, 0), 40), mostMs);
}

/** Gauge `<name>_failing_seconds` of the oldest item that fails, unless given up or held back. @param since SQL of the time from which it counts */
export function failingWork(queue: WatchedQueue, name: string, since: string): DatabaseGauge {
  return {
    name: `${name}_failing_seconds`,
    help: `Age of the oldest item of the queue ${queue.name} that an attempt failed on and that is tried again; 0 if there is none.`,
    read: (context) => oldestFailingSeconds(context, queue, since),
  };
}
