import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/group-by.js';
import { isUuid } from '../../../shared/ids.js';
import type { Fill } from '../venues/venue.js';
import { dueTimers, removeTimer, type CancelTimer } from './cancel-timer.store.js';
import { cancelWallet, maxCancelled } from './cancel-orders.js';
import { looksBeforeQuarantine, nextLook } from './call-venue.js';
import type { Desk } from './desk.js';
import {
  dueExecutions,
  endingExecutions,
  endSession,
  findExecutions,
  keepSession,
  liveExecutions,
  lookAtOpen,
  lookAtUnsettled,
  putOff,
  takeOver,
  type ExecutionRow,
} from './execution.store.js';
import { expiredOrders, requestCancel } from './order.store.js';
import { quarantine } from './quarantine.store.js';

/** Completes orders: late fills, unknown outcomes, cancellations, expiries, and the executions of a dead process. */
export interface OrderEngine {
  /** Takes over the executions of earlier processes, and restores their resting orders. Call it before the venues start. */
  start(): Promise<void>;
  /** Does at once what is due; for tests and for the loop. */
  step(): Promise<void>;
  stop(): Promise<void>;
}

const stepMs = 250;
/** After this time without a heartbeat a process is considered dead. */
const silentMs = 10_000;
/** Maximum number of items per step; the rest is left for the next. */
const stepSize = 100;
/** Maximum number of fills that wait to be settled; further ones are found by looking up their executions. */
const maxFills = 10_000;
/** Upper bound of the time from the commit of an execution to its sending. */
const sentWithinMs = 2_000;
const stepFailure = 'A step of the order engine failed; it will be retried';

/** @param restore restores orders at venues that lose them with the process */
export function createOrderEngine(
  context: Context,
  desk: Desk,
  restore: (executions: readonly ExecutionRow[]) => void,
): OrderEngine {
  const stops: (() => void)[] = [];
  const ended = new AbortController();
  const inbox = createInbox(context, desk);
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
  const works = [inbox.settle, () => lookUpDue(context, desk), () => endDue(context, desk)];
  const step = async () => {
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
  /** Each runs on its own: a venue that does not respond holds up the work that waits for it, but neither fills, cancellations nor the heartbeat. */
  const loop = async () => {
    await Promise.all([
      settleFills(),
      repeat(stepMs, stepFailure, () => lookUpDue(context, desk)),
      repeat(stepMs, stepFailure, () => endDue(context, desk)),
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
      await inbox.end();
      await endSession(context, desk.session);
    },
  };
}

/** Runs work that is tried again later when it fails. */
async function tried({ log }: Context, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailed(log, error, failure);
  }
}

/** Holds fills that arrive by themselves until they are settled. */
function createInbox(context: Context, desk: Desk) {
  const rounds = new Set<Promise<void>>();
  /** After a failure, the look-up of their execution finds the fills again. A further round of the order holds up no other fills. */
  const settleFillsOf = (execution: ExecutionRow, own: readonly Fill[]) =>
    eachOrder(context, [execution], async (orderId) => {
      const { next, begunMs } = await desk.settle(context, orderId, [{ executionId: execution.id, fills: own }]);
      if (next.length === 0) return;
      const round = tried(context, 'A round of an order failed; its executions will be looked up', async () => {
        await desk.send(context, orderId, next, begunMs);
      });
      rounds.add(round);
      void round.finally(() => rounds.delete(round));
    });
  let fills: Fill[] = [];
  let isOverfull = false;
  let hasFailed = false;
  let wake: () => void = () => undefined;
  const settleAll = async () => {
    if (isOverfull) await lookAtOpen(context, desk.session);
    isOverfull = false;
    const waiting = groupBy([...fills, ...desk.takeKept()], ({ clientOrderId }) => clientOrderId);
    fills = [];
    try {
      // Hedges are settled elsewhere, and someone may trade by hand in the house's account, with ids of another form.
      const found = await findExecutions(context, [...waiting.keys()].filter(isUuid));
      for (const execution of found) {
        await settleFillsOf(execution, waiting.get(execution.id) ?? []);
        waiting.delete(execution.id);
      }
    } catch (error) {
      // The database is unavailable: fills that are not settled wait for it.
      fills = [...[...waiting.values()].flat(), ...fills];
      throw error;
    }
  };
  return {
    add: (fill: Fill) => {
      if (desk.keep(fill)) return;
      if (fills.length >= maxFills) {
        isOverfull = true;
        return;
      }
      fills.push(fill);
      wake();
    },
    wait: async (waitMs: number, signal: AbortSignal) => {
      if (fills.length > 0 && !hasFailed) return;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([woken, sleep(waitMs, undefined, { ref: false, signal }).catch(() => undefined)]);
    },
    settle: async () => {
      hasFailed = true;
      await settleAll();
      hasFailed = false;
    },
    /** Waits for the rounds that are being sent. */
    end: async () => {
      await Promise.all(rounds);
    },
  };
}

/** Acts on all orders concurrently: one that fails is looked up later, and none waits for another's venue. */
async function eachOrder(
  context: Context,
  executions: readonly ExecutionRow[],
  act: (orderId: string, own: readonly ExecutionRow[]) => Promise<unknown>,
): Promise<void> {
  const actOn = async (orderId: string, own: readonly ExecutionRow[]) => {
    try {
      await act(orderId, own);
    } catch (error) {
      context.log.error({ err: error, order: orderId }, 'An order could not be settled; it will be looked up later');
      const now = context.clock.now();
      await putOff(
        context,
        own.map(({ id, looks }) => ({ id, nextLookAt: nextLook(now, looks) })),
      );
      await callOperator(context, orderId, own);
    }
  };
  await Promise.all([...groupBy(executions, (one) => one.orderId)].map(([orderId, own]) => actOn(orderId, own)));
}

/** Alerts an operator to an order whose executions were looked up too often. */
async function callOperator(context: Context, orderId: string, own: readonly ExecutionRow[]): Promise<void> {
  const isLost = own.some(({ looks }) => looks + 1 >= looksBeforeQuarantine);
  if (!isLost || !(await quarantine(context, orderId))) return;
  context.log.error(
    { order: orderId },
    'An order waits for an operator: its outcome at a venue could not be determined',
  );
}

/** Looks up what is due, and alerts an operator to outcomes that have been unknown for long. */
async function lookUpDue(context: Context, desk: Desk): Promise<void> {
  await eachOrder(context, await dueExecutions(context, desk.session, stepSize), async (orderId, own) => {
    await desk.look(context, orderId, own);
    await callOperator(context, orderId, own);
  });
}

/** Ends orders that have expired, those of wallets whose timer is due, and those that were cancelled in another process. */
async function endDue(context: Context, desk: Desk): Promise<void> {
  await requestCancel(context, await expiredOrders(context, stepSize));
  const fire = ({ walletId, firesAt }: CancelTimer) =>
    tried(context, 'The dead-man timer of a wallet failed; it will be retried', async () => {
      // While there may be more orders, the timer stays for the next step.
      if ((await cancelWallet(context, desk, walletId)) < maxCancelled) await removeTimer(context, walletId, firesAt);
    });
  await Promise.all((await dueTimers(context, stepSize)).map(fire));
  await eachOrder(context, await endingExecutions(context, desk.session, stepSize), (orderId, own) =>
    desk.cancel(context, orderId, own),
  );
}
