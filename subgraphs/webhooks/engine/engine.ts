import { setTimeout } from 'node:timers/promises';
import { schedule, type ScheduledTask } from 'node-cron';
import { coalesced } from '../../../shared/memo.js';
import type { Context } from '../../../shared/kernel/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { cronWords } from '../../../shared/work/scheduler.js';
import { continueRedelivery } from '../deliveries/deliveries.acts.js';
import { deactivateWebhook } from '../subscriptions/subscriptions.acts.js';
import { lockAll } from '../subscriptions/subscription.store.js';
import { attempt, type AttemptParts } from './attempt.js';
import { claimDue, findWork, type Claimed, type Lane, type Ended, giveBack, settleAttempts } from './claim.store.js';
import { dueTopic } from './wake.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { Counter, Histogram } from 'prom-client';

export interface EngineParts extends AttemptParts {
  readonly slots: SlotLimits;
}

export interface Engine {
  /** Looks for due deliveries on each notification and every second. */
  start(): Promise<void>;
  /** Claims nothing more, and waits for the attempts in progress and the writing of their results. */
  stop(): Promise<void>;
}

/** How long an attempt may lack a result before another engine repeats it: far longer than its deadline. */
const leaseMs = 30_000;
/** How long a subscription is paused when this process cannot decrypt its secret. */
const pauseMs = 60_000;
/** Comes before the id of every subscription. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Claims in batches, sends outside of any transaction, writes results in batches. Attempts of a process that dies are repeated once their lease has expired. */
export function createEngine(context: Context, parts: EngineParts): Engine {
  const stopping = new AbortController();
  const attempts = createAttempts(context, parts, stopping.signal);
  const continueRedeliveries = createSteps(context, attempts.begin, stopping.signal);
  const work = () => void Promise.all([attempts.writeResults(), attempts.begin()]);
  const tick = coalesced(async () => {
    void attempts.writeResults();
    try {
      const { isDue, isRedelivering } = await findWork(context);
      if (isDue) void attempts.begin();
      if (isRedelivering) void continueRedeliveries();
    } catch (error) {
      logFailed(context.log, error, 'Deliveries could not be looked for; this will be retried');
    }
  });
  let task: ScheduledTask | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      stopListening = await context.bus.listen(dueTopic, work);
      task = schedule('* * * * * *', () => void tick(), { name: 'webhooks.engine', logger: cronWords(context.log) });
      void tick();
    },
    stop: async () => {
      stopping.abort();
      await task?.destroy();
      await tick();
      await stopListening?.();
      await continueRedeliveries();
      await attempts.finish();
      await parts.sender.close();
    },
  };
}

/** Claims and makes attempts as long as slots are free. A slot becomes free when the result of its attempt is written. */
function createAttempts(context: Context, parts: EngineParts, stopping: AbortSignal) {
  const slots = createSlots(parts.slots);
  const paused = createHold(context.clock, pauseMs);
  const inProgress = new Set<Promise<void>>();
  const lastClaimed: Record<Lane, string> = { first: nobody, later: nobody };

  const asked = new Set<Lane>();
  const beginAsked = coalesced(async () => {
    const lanes = new Set(asked);
    asked.clear();
    try {
      while (lanes.size > 0) {
        for (const lane of lanes) if (!(await beginBatch(lane))) lanes.delete(lane);
      }
    } catch (error) {
      logFailed(context.log, error, 'Deliveries could not be claimed; this will be retried');
    }
  });
  const begin = (...lanes: readonly Lane[]): Promise<void> => {
    for (const lane of lanes) asked.add(lane);
    return beginAsked();
  };
  const beginBoth = () => begin('first', 'later');

  /** Returns whether more deliveries of the lane may be due. */
  const beginBatch = async (lane: Lane): Promise<boolean> => {
    const limit = slots.free(lane);
    if (stopping.aborted || limit <= 0) return false;
    const lease = newId();
    const claimed = await claimDue(context, {
      lane,
      lease,
      until: new Date(context.clock.now().getTime() + leaseMs),
      limit,
      perSubscription: parts.slots.perSubscription,
      perOwner: slotsOfOwner(parts.slots),
      underWay: slots.underWay,
      held: paused.ids(),
      after: lastClaimed[lane],
    });
    lastClaimed[lane] = claimed.at(-1)?.subscriptionId ?? lastClaimed[lane];
    for (const delivery of claimed) {
      slots.take(lane, delivery.subscriptionId);
      const making = makeAttempt(delivery, lane, lease);
      inProgress.add(making);
      void making.finally(() => inProgress.delete(making));
    }
    return claimed.length === limit;
  };

  const makeAttempt = async (claimed: Claimed, lane: Lane, lease: string): Promise<void> => {
    try {
      const ended = await attempt(context, parts, claimed, lease);
      note(context, ended, paused);
      results.add(lane, ended);
    } catch (error) {
      slots.give(lane, claimed.subscriptionId);
      logFailed(context.log, error, 'A delivery could not be attempted', { event: claimed.eventId });
    }
    await results.write();
  };

  const results = createUnwrittenResults(context, async (batch) => {
    for (const { lane, ended } of batch) slots.give(lane, ended.claimed.subscriptionId);
    // First attempts that succeed make nothing due in the other lane, which is looked at every second.
    const onlyFirst = batch.every(
      ({ lane, ended }) => lane === 'first' && ended.result !== undefined && ended.verdict.status === 'delivered',
    );
    await (onlyFirst ? begin('first') : beginBoth());
  });

  return {
    begin: beginBoth,
    writeResults: results.write,
    finish: async () => {
      await beginBoth();
      while (inProgress.size > 0) await Promise.all(inProgress);
      await results.write();
    },
  };
}

/** Counts an attempt; pauses a subscription whose secret cannot be decrypted, with one log entry each time. */
function note({ log }: Context, ended: Ended, paused: Hold): void {
  if (ended.result !== undefined) {
    const { status, durationMs } = ended.result;
    attemptSeconds.observe({ status: status === undefined ? 'none' : String(status) }, durationMs / 1000);
    return;
  }
  unsignedDeliveries.inc();
  const { claimed, cause: err } = ended;
  const webhook = claimed.subscriptionId;
  if (paused.hold(webhook)) log.error({ err, webhook }, 'The secret of a webhook cannot be decrypted');
}

/** Takes steps of redeliveries in turn, until none can continue or the engine stops. */
function createSteps(context: Context, onDue: () => Promise<void>, stopping: AbortSignal) {
  let after: string | undefined;
  return coalesced(async () => {
    try {
      while (!stopping.aborted) {
        after = await continueRedelivery(context, after);
        if (after === undefined) break;
        void onDue();
      }
    } catch (error) {
      logFailed(context.log, error, 'Redeliveries of webhooks could not continue; this will be retried');
    }
  });
}

/** How long results are gathered for a batch: each batch costs a statement, and a claim of what may follow. */
const gatherMs = 10;

export interface WrittenResult {
  readonly lane: Lane;
  readonly ended: Ended;
}

/** Keeps results until they are written in one batch; on failure for the next call. @param onWritten claims what may follow; the next batch waits for it */
function createUnwrittenResults(context: Context, onWritten: (batch: readonly WrittenResult[]) => Promise<void>) {
  let waiting: WrittenResult[] = [];
  const write = coalesced(async () => {
    if (waiting.length === 0) return;
    await setTimeout(gatherMs);
    const batch = waiting;
    waiting = [];
    const results = batch.map(({ ended }) => ended);
    try {
      await settle(context, results);
    } catch (error) {
      waiting.unshift(...batch);
      logFailed(context.log, error, 'Outcomes of deliveries could not be saved; this will be retried');
      return;
    }
    // Results that arrive meanwhile are the next batch.
    await onWritten(batch);
  });
  return {
    add: (lane: Lane, ended: Ended) => waiting.push({ lane, ended }),
    write,
  };
}

/** Deactivates subscriptions whose receivers are gone or never responded, and releases what could not be signed. A repetition changes nothing. */
export async function settle(context: Context, ended: readonly Ended[]): Promise<void> {
  const outcomes = ended.filter((one) => one.result !== undefined);
  const unsigned = ended.filter((one) => one.result === undefined);
  if (unsigned.length > 0) {
    await inTransaction(context, async (tx) => {
      await lockSubscriptions(tx, unsigned);
      await giveBack(tx, unsigned);
    });
  }
  if (outcomes.length === 0) return;
  if (!outcomes.some(({ verdict }) => verdict.deactivates !== undefined)) {
    await settleAttempts(context, outcomes);
    return;
  }
  await inTransaction(context, async (tx) => {
    await lockSubscriptions(tx, outcomes);
    const believed = await settleAttempts(tx, outcomes);
    for (const { claimed, verdict } of believed) {
      if (verdict.deactivates === undefined) continue;
      const { subscriptionId: id, begunAt } = claimed;
      await deactivateWebhook(tx, { id, gone: verdict.deactivates === 'gone', begunAt });
    }
  });
}

/** Locks the subscriptions first, as every mutation of a subscription does, so that no deadlock is possible. */
async function lockSubscriptions(tx: Context, ended: readonly Ended[]): Promise<void> {
  await lockAll(
    tx,
    ended.map(({ claimed }) => claimed.subscriptionId),
  );
}

/** Subscriptions that this process pauses. Others may serve them in the meantime. */
interface Hold {
  /** Pauses one; returns whether it was not paused before. */
  hold(id: string): boolean;
  readonly ids: () => readonly string[];
}

export function createHold(clock: Clock, forMs: number): Hold {
  const until = new Map<string, number>();
  return {
    hold: (id) => {
      const now = clock.now().getTime();
      const isNew = (until.get(id) ?? 0) <= now;
      if (isNew) until.set(id, now + forMs);
      return isNew;
    },
    ids: () => {
      const now = clock.now().getTime();
      for (const [id, end] of until) if (end <= now) until.delete(id);
      return [...until.keys()];
    },
  };
}

interface SlotLimits {
  readonly total: number;
  readonly perSubscription: number;
}

/** Returns the maximum number of concurrent attempts to the subscriptions of one owner: a quarter of the slots, and at least the slots of one subscription. */
function slotsOfOwner({ total, perSubscription }: SlotLimits): number {
  return Math.max(perSubscription, Math.floor(total / 4));
}

/** Retries and failing receivers get at most half, so that first attempts always find one; first attempts at most three quarters, so that retries do too. */
export interface Slots {
  free(lane: Lane): number;
  take(lane: Lane, subscriptionId: string): void;
  give(lane: Lane, subscriptionId: string): void;
  readonly underWay: ReadonlyMap<string, number>;
}

const share: Readonly<Record<Lane, number>> = { first: 3 / 4, later: 1 / 2 };

export function createSlots({ total }: SlotLimits): Slots {
  const taken: Record<Lane, number> = { first: 0, later: 0 };
  const underWay = new Map<string, number>();
  const add = (lane: Lane, id: string, count: 1 | -1) => {
    taken[lane] += count;
    const left = (underWay.get(id) ?? 0) + count;
    if (left === 0) underWay.delete(id);
    else underWay.set(id, left);
  };
  return {
    underWay,
    free: (lane) => {
      const all = total - taken.first - taken.later;
      return Math.min(all, Math.floor(total * share[lane]) - taken[lane]);
    },
    take: (lane, id) => add(lane, id, 1),
    give: (lane, id) => add(lane, id, -1),
  };
}

export const attemptSeconds = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Duration of delivery attempts, by HTTP status of the response, or `none`.',
  labelNames: ['status'],
  buckets: [0.01, 0.05, 0.25, 1, 2.5, 5],
  registers: [],
});

export const unsignedDeliveries = new Counter({
  name: 'webhook_unsigned_total',
  help: 'Pending deliveries that could not be signed, because the secret of the webhook was encrypted with another master key.',
  registers: [],
});
