import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { createPace } from '../../../shared/pace.js';
import { dueTimers, removeTimer, type CancelTimer } from './cancel-timer.store.js';
import { maxCancelled } from './cancel-orders.js';
import type { Desk } from './desk.js';
import { callOperator, tried } from './each-order.js';
import {
  dueExecutions,
  endingExecutions,
  endSession,
  keepSession,
  liveExecutions,
  lookAtUnsettled,
  nextDue,
  takeOver,
  type Busy,
  type ExecutionRow,
} from './execution.store.js';
import { createInbox, type SettleOthers } from './inbox.js';
import { expiredOrders, openOrdersOf, requestCancel } from './order.store.js';
import { createVenueWork, type VenueWork } from './venue-work.js';
import { idleMs, ordersDueTopic, stepMs } from './wake.js';

/** Completes orders: late fills, unknown outcomes, cancellations, expiries, and the executions of a dead process. */
export interface OrderEngine {
  /** Takes over the executions of earlier processes, and restores their resting orders. Call it before the venues start. */
  start(): Promise<void>;
  /** Does at once what is due; for tests and for the loop. */
  step(): Promise<void>;
  stop(): Promise<void>;
}

/** After this time without a heartbeat a process is considered dead. */
const silentMs = 10_000;
/** Maximum number of items per step; the rest is left for the next. */
const stepSize = 100;
/** Upper bound of the time from the commit of an execution to its sending. */
const sentWithinMs = 2_000;
const stepFailure = 'A step of the order engine failed; it will be retried';

export interface OrderEngineParts {
  readonly desk: Desk;
  /** Restores orders at venues that lose them with the process. */
  readonly restore: (executions: readonly ExecutionRow[]) => void;
  readonly settleOthers: SettleOthers;
}

export function createOrderEngine(context: Context, { desk, restore, settleOthers }: OrderEngineParts): OrderEngine {
  const stops: (() => void)[] = [];
  const ended = new AbortController();
  const inbox = createInbox(context, desk, settleOthers);
  let running: Promise<void> = Promise.resolve();

  const adopt = async () => {
    await keepSession(context, desk.session);
    const ago = (ms: number) => new Date(context.clock.now().getTime() - ms);
    await lookAtUnsettled(context, desk.session, { sending: desk.sending(), before: ago(sentWithinMs) });
    const silentSince = ago(silentMs);
    const taken = await inTransaction(context, (tx) => takeOver(tx, desk.session, silentSince));
    if (taken === 0) return;
    const live = await liveExecutions(context, desk.session, 100_000);
    restore(live.filter(({ state }) => state === 'OPEN'));
    context.log.warn({ executions: taken }, 'Orders of a stopped process were taken over');
  };
  const refresh = () => desk.refresh(context);
  const looks = lookUps(context, desk);
  const cancels = cancellations(context, desk);
  const begin = async (work: VenueWork) => {
    while (!ended.signal.aborted && (await work.begin()));
  };
  const begunAll = (work: VenueWork) => async () => {
    await begin(work);
    await work.end();
  };
  const pace = createPace(ended.signal);
  const step = async () => {
    const works = [inbox.settle, begunAll(looks), () => requestEnds(context), begunAll(cancels)];
    for (const work of works) await tried(context, stepFailure, work);
  };
  const settleFills = async () => {
    while (!ended.signal.aborted) {
      await inbox.wait(stepMs, ended.signal);
      await tried(context, stepFailure, inbox.settle);
    }
  };
  const repeat = async (everyMs: number, failure: string, work: () => Promise<void>) => {
    const pause = () => sleep(everyMs, true, { ref: false, signal: ended.signal }).catch(() => false);
    while (await pause()) await tried(context, failure, work);
  };
  /** Begins what is due. No venue is waited for. */
  const beginDue = async () => {
    let restMs = idleMs;
    const look = async () => {
      const dueAt = await nextDue(context, desk.session);
      if (dueAt === undefined) return;
      restMs = Math.min(idleMs, Math.max(stepMs, dueAt.getTime() - context.clock.now().getTime()));
      if (dueAt > context.clock.now()) return;
      const works = [() => begin(looks), () => requestEnds(context), () => begin(cancels)];
      for (const work of works) await tried(context, stepFailure, work);
    };
    await tried(context, stepFailure, look);
    await pace.rest(stepMs, restMs);
  };
  const beginAllDue = async () => {
    const stopListening = await context.bus.listen(ordersDueTopic, pace.wake);
    while (!ended.signal.aborted) await beginDue();
    await stopListening();
  };
  /** Each runs on its own: a venue that does not respond holds up the work that waits for it, but neither fills, cancellations nor the heartbeat. */
  const loop = async () => {
    await Promise.all([
      settleFills(),
      beginAllDue(),
      repeat(silentMs / 4, 'Orders of other processes could not be taken over', adopt),
      repeat(silentMs / 4, 'The balances at the venues could not be read', refresh),
    ]);
  };

  return {
    start: async () => {
      for (const venue of [...desk.markets.venues(false), ...desk.markets.venues(true)])
        stops.push(venue.onFill(inbox.add));
      await refresh();
      await adopt();
      running = loop();
    },
    step,
    stop: async () => {
      ended.abort();
      for (const stop of stops) stop();
      await running;
      await Promise.all([looks.end(), cancels.end(), inbox.end()]);
      await endSession(context, desk.session);
    },
  };
}

/** Looks up what is due, and alerts an operator to outcomes that have been unknown for long. */
function lookUps(context: Context, desk: Desk): VenueWork {
  const due = (busy: Busy, limit: number) => dueExecutions(context, desk.session, busy, limit);
  return createVenueWork(context, due, async (orderId, own) => {
    await desk.look(context, orderId, own);
    await callOperator(context, orderId, own);
  });
}

/** Cancels at the venues the orders whose end was requested: by expiry or a timer, in another process, or while their venue did not respond. */
function cancellations(context: Context, desk: Desk): VenueWork {
  const due = (busy: Busy, limit: number) => endingExecutions(context, desk.session, busy, limit);
  return createVenueWork(context, due, async (orderId, own) => {
    await desk.cancel(context, orderId, own);
  });
}

/** Requests the end of orders that have expired, and of those of wallets whose timer is due. No venue is called. */
async function requestEnds(context: Context): Promise<void> {
  await requestCancel(context, await expiredOrders(context, stepSize));
  const fire = ({ walletId, firesAt }: CancelTimer) =>
    tried(context, 'The dead-man timer of a wallet failed; it will be retried', async () => {
      const ids = await openOrdersOf(context, walletId, undefined, maxCancelled);
      await requestCancel(context, ids);
      // While there may be more orders, the timer stays for the next step.
      if (ids.length < maxCancelled) await removeTimer(context, walletId, firesAt);
    });
  await Promise.all((await dueTimers(context, stepSize)).map(fire));
}
