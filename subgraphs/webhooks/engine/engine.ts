import { schedule, type ScheduledTask } from 'node-cron';
import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { cronWords } from '../../../shared/scheduler.js';
import { attempt, type AttemptParts } from './attempt.js';
import { claimDue, type Claimed, type Lane } from './claim.store.js';
import { coalesced } from './coalesced.js';
import type { SendResult } from './send.js';
import { settle } from './settle.js';
import type { Outcome } from './settle.store.js';
import { createSlots, type SlotLimits, type Slots } from './slots.js';
import { dueTopic } from './wake.js';

export interface EngineParts extends AttemptParts {
  readonly slots: SlotLimits;
  onAttempt?(result: SendResult): void;
}

/** Sends deliveries. Any number of engines share the work. */
export interface Engine {
  /** Looks for what is due now, whenever it is told that something is, and each second. */
  start(): Promise<void>;
  /** Takes nothing more, and ends with what is under way: each attempt has its outcome written. */
  stop(): Promise<void>;
}

/** How long an attempt may be without an outcome before another engine makes it: far longer than its deadline. */
const leaseMs = 30_000;
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * The engine of deliveries: claims what is due in batches, sends outside of any transaction, and writes the outcomes in
 * batches. A process that dies leaves attempts without an outcome, which are made again when their lease has run out.
 */
export function createEngine(context: Context, parts: EngineParts): Engine {
  const slots = createSlots(parts.slots);
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const { add, write } = outcomesOf(context, (lane, { claimed }) => {
    slots.give(lane, claimed.subscriptionId);
    void take();
  });

  const make = async (claimed: Claimed, lane: Lane, lease: string) => {
    try {
      const outcome = await attempt(context, parts, claimed, lease);
      parts.onAttempt?.(outcome.result);
      add(lane, outcome);
    } catch (error) {
      slots.give(lane, claimed.subscriptionId);
      context.log.error({ err: error, event: claimed.eventId }, 'A delivery could not be attempted');
    }
    await write();
  };

  const claim = claimsOf(context, slots, parts.slots.perSubscription);
  const takeFrom = async (lane: Lane): Promise<boolean> => {
    if (stopping || slots.free(lane) <= 0) return false;
    const { claimed, lease, more } = await claim(lane);
    for (const delivery of claimed) {
      slots.take(lane, delivery.subscriptionId);
      const making = make(delivery, lane, lease);
      underWay.add(making);
      void making.finally(() => underWay.delete(making));
    }
    return more;
  };
  const take = coalesced(async () => {
    try {
      let more = true;
      while (more) {
        const first = await takeFrom('first');
        more = (await takeFrom('later')) || first;
      }
    } catch (error) {
      context.log.error({ err: error }, 'Deliveries could not be claimed; it is tried again');
    }
  });

  const look = () => void Promise.all([write(), take()]);
  let task: ScheduledTask | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      stopListening = await context.bus.listen(dueTopic, look);
      task = schedule('* * * * * *', look, { name: 'webhooks.engine', logger: cronWords(context.log) });
      look();
    },
    stop: async () => {
      stopping = true;
      await task?.destroy();
      await stopListening?.();
      await take();
      while (underWay.size > 0) await Promise.all(underWay);
      await write();
      await parts.sender.close();
    },
  };
}

/** Claims for a lane, each with a lease of its own; goes on where the last one ended. */
function claimsOf(context: Context, slots: Slots, perSubscription: number) {
  const after: Record<Lane, string> = { first: nobody, later: nobody };
  return async (lane: Lane) => {
    const lease = newId();
    const limit = slots.free(lane);
    const claimed = await claimDue(context, {
      lane,
      lease,
      until: new Date(context.clock.now().getTime() + leaseMs),
      limit,
      perSubscription,
      underWay: slots.underWay,
      after: after[lane],
    });
    after[lane] = claimed.at(-1)?.subscriptionId ?? after[lane];
    return { claimed, lease, more: claimed.length === limit };
  };
}

/** Outcomes on their way to the database; those that could not be written wait for the next time. */
function outcomesOf(context: Context, onWritten: (lane: Lane, outcome: Outcome) => void) {
  let waiting: { readonly lane: Lane; readonly outcome: Outcome }[] = [];
  const write = coalesced(async () => {
    const taken = waiting;
    waiting = [];
    if (taken.length === 0) return;
    try {
      await settle(
        context,
        taken.map(({ outcome }) => outcome),
      );
    } catch (error) {
      waiting.unshift(...taken);
      context.log.error({ err: error }, 'Outcomes of deliveries could not be written; it is tried again');
      return;
    }
    for (const { lane, outcome } of taken) onWritten(lane, outcome);
  });
  return {
    write,
    add: (lane: Lane, outcome: Outcome) => {
      waiting.push({ lane, outcome });
    },
  };
}
