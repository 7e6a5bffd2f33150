import { schedule, type ScheduledTask } from 'node-cron';
import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { newId } from '../../../shared/ids.js';
import { cronWords } from '../../../shared/scheduler.js';
import { continueReplay } from '../deliveries/replay.js';
import { attempt, type AttemptParts } from './attempt.js';
import { claimDue, type Claimed, type Lane } from './claim.store.js';
import { createHold } from './hold.js';
import type { SendResult } from './send.js';
import { settle } from './settle.js';
import type { Ended } from './settle.store.js';
import { createSlots, type SlotLimits, type Slots } from './slots.js';
import { dueTopic } from './wake.js';

export interface EngineParts extends AttemptParts {
  readonly slots: SlotLimits;
  onAttempt?(result: SendResult): void;
  /** Called for each delivery that could not be signed. */
  onUnsigned?(): void;
}

/** Sends deliveries. Any number of engines share the work. */
export interface Engine {
  /** Looks for due deliveries on each notification and every second. */
  start(): Promise<void>;
  /** Claims nothing more, and waits for the attempts in progress and the writing of their results. */
  stop(): Promise<void>;
}

/** How long an attempt may lack a result before another engine repeats it: far longer than its deadline. */
const leaseMs = 30_000;
/** How long a subscription is paused when this process cannot decrypt its secret. */
const holdMs = 60_000;
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the delivery engine: claims due deliveries in batches, sends outside of any transaction, and writes the results
 * in batches. Attempts of a process that dies have no result and are repeated once their lease has expired.
 */
export function createEngine(context: Context, parts: EngineParts): Engine {
  const slots = createSlots(parts.slots);
  const { note, held } = notesOf(context, parts);
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const { add, write } = outcomesOf(context, (lane, { claimed }) => {
    slots.give(lane, claimed.subscriptionId);
    void take();
  });

  const make = async (claimed: Claimed, lane: Lane, lease: string) => {
    try {
      const ended = await attempt(context, parts, claimed, lease);
      note(ended);
      add(lane, ended);
    } catch (error) {
      slots.give(lane, claimed.subscriptionId);
      context.log.error({ err: error, event: claimed.eventId }, 'A delivery could not be attempted');
    }
    await write();
  };

  const claim = claimsOf(context, slots, held, parts.slots.perSubscription);
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
      logFailed(context.log, error, 'Deliveries could not be claimed; this will be retried');
    }
  });

  const goOn = replaysOf(context, () => stopping, take);
  const look = () => void Promise.all([write(), take()]);
  const tick = () => {
    look();
    void goOn();
  };
  let task: ScheduledTask | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      stopListening = await context.bus.listen(dueTopic, look);
      task = schedule('* * * * * *', tick, { name: 'webhooks.engine', logger: cronWords(context.log) });
      tick();
    },
    stop: async () => {
      stopping = true;
      await task?.destroy();
      await stopListening?.();
      await goOn();
      await take();
      while (underWay.size > 0) await Promise.all(underWay);
      await write();
      await parts.sender.close();
    },
  };
}

/** Creates the claims of a lane, each with its own lease; each continues where the last one ended. */
function claimsOf(context: Context, slots: Slots, held: () => readonly string[], perSubscription: number) {
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
      held: held(),
      after: after[lane],
    });
    after[lane] = claimed.at(-1)?.subscriptionId ?? after[lane];
    return { claimed, lease, more: claimed.length === limit };
  };
}

/** Reports attempts as they end, and pauses subscriptions whose secrets cannot be decrypted, with one log entry each time. */
function notesOf({ clock, log }: Context, parts: EngineParts) {
  const hold = createHold(clock, holdMs);
  return {
    held: hold.ids,
    note: (ended: Ended): void => {
      if (ended.result !== undefined) return parts.onAttempt?.(ended.result);
      parts.onUnsigned?.();
      const { claimed, cause: err } = ended;
      const webhook = claimed.subscriptionId;
      if (hold.hold(webhook)) log.error({ err, webhook }, 'The secret of a webhook cannot be decrypted');
    },
  };
}

/** Continues replays in turn, until none can continue or the engine stops. */
function replaysOf(context: Context, isStopping: () => boolean, onDue: () => Promise<void>) {
  let after: string | undefined;
  return coalesced(async () => {
    try {
      while (!isStopping()) {
        after = await continueReplay(context, after);
        if (after === undefined) break;
        void onDue();
      }
    } catch (error) {
      logFailed(context.log, error, 'Replays of webhooks could not continue; this will be retried');
    }
  });
}

/** Queues results for the database; those that could not be written are retried. */
function outcomesOf(context: Context, onWritten: (lane: Lane, outcome: Ended) => void) {
  let waiting: { readonly lane: Lane; readonly outcome: Ended }[] = [];
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
      logFailed(context.log, error, 'Outcomes of deliveries could not be saved; this will be retried');
      return;
    }
    for (const { lane, outcome } of taken) onWritten(lane, outcome);
  });
  return {
    write,
    add: (lane: Lane, outcome: Ended) => {
      waiting.push({ lane, outcome });
    },
  };
}
