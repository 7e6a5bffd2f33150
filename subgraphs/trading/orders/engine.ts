import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { createPace } from '../../../shared/work/pace.js';
import {
  dueTimers,
  removeTimer,
  type CancelTimer,
  expiredOrders,
  openOrdersOf,
  requestCancel,
  quarantine,
} from './order.store.js';
import { maxCancelled } from './cancel.acts.js';
import type { Desk } from './desk.js';
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
  findExecutions,
  lookAtOpen,
  putOff,
} from './execution.store.js';
import { idleMs, ordersDueTopic, stepMs } from './wake.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Fill } from '../venues/venue.js';
import { looksBeforeQuarantine, nextLook } from './call-venue.js';

/** Completes orders: late fills, unknown outcomes, cancellations, expiries, and the executions of a dead process. */
export interface OrderEngine {
  /** Takes over the executions of earlier processes, and restores their resting orders. Call it before the venues start. */
  start(): Promise<void>;
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

/** Maximum number of fills that wait to be settled; further ones are found by looking up their executions. */
const maxFills = 10_000;

/** Settles fills that belong to no execution, such as those of hedges; returns those that must wait. */
type SettleOthers = (context: Context, fills: readonly Fill[]) => Promise<readonly Fill[]>;

/** Holds fills that arrive by themselves until they are settled. */
function createInbox(context: Context, desk: Desk, settleOthers: SettleOthers) {
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
  /** Fills of hedges whose child order is being sent: the response may contain them. */
  let early: readonly Fill[] = [];
  let isOverfull = false;
  let hasFailed = false;
  let wake: () => void = () => undefined;
  const settleAll = async () => {
    if (isOverfull) await lookAtOpen(context, desk.session);
    isOverfull = false;
    const waiting = groupBy([...early, ...fills, ...desk.takeKept()], ({ clientOrderId }) => clientOrderId);
    fills = [];
    early = [];
    try {
      const found = await findExecutions(context, [...waiting.keys()].filter(isUuid));
      for (const execution of found) {
        await settleFillsOf(execution, waiting.get(execution.id) ?? []);
        waiting.delete(execution.id);
      }
      const others = [...waiting.values()].flat();
      if (others.length > 0) early = await settleOthers(context, others);
    } catch (error) {
      // The database is unavailable: fills that are not settled wait for it.
      fills = [...[...waiting.values()].flat(), ...fills];
      throw error;
    }
  };
  return {
    add: (fill: Fill) => {
      if (desk.keep(fill)) return;
      if (fills.length + early.length >= maxFills) {
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
    end: async () => {
      await Promise.all(rounds);
    },
  };
}

/** Maximum number of executions that are begun at once, and that are under way at one venue; the rest is left for later. */
const atOnce = 100;

/** Calls of venues about executions. Those at a venue that does not respond hold up only others at that venue. */
interface VenueWork {
  /** Begins what is due. @returns whether there may be more */
  begin(): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * @param due lists executions that are due, those that have waited longest first
 * @param act acts on executions of one order at one venue
 */
function createVenueWork(
  context: Context,
  due: (busy: Busy, limit: number) => Promise<ExecutionRow[]>,
  act: (orderId: string, own: readonly ExecutionRow[]) => Promise<void>,
): VenueWork {
  const underWay = new Map<string, string>();
  const runs = new Set<Promise<void>>();
  const busy = (): Busy => {
    const byVenue = groupBy(underWay.values(), (venue) => venue);
    return {
      ids: [...underWay.keys()],
      venues: [...byVenue].filter(([, own]) => own.length >= atOnce).map(([venue]) => venue),
    };
  };
  const run = async (own: readonly ExecutionRow[]) => {
    try {
      await eachOrder(context, own, act);
    } catch (error) {
      logFailed(context.log, error, 'Orders could not be settled, nor put off; this will be retried');
    } finally {
      for (const { id } of own) underWay.delete(id);
    }
  };
  return {
    begin: async () => {
      const begun = await due(busy(), atOnce);
      for (const { id, venue } of begun) underWay.set(id, venue);
      for (const own of groupBy(begun, ({ orderId, venue }) => `${orderId} ${venue}`).values()) {
        const running = run(own);
        runs.add(running);
        void running.finally(() => runs.delete(running));
      }
      return begun.length === atOnce;
    },
    end: async () => {
      await Promise.all(runs);
    },
  };
}

async function tried({ log }: Context, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailed(log, error, failure);
  }
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
      logFailed(context.log, error, 'An order could not be settled; it will be looked up later', { order: orderId });
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

async function callOperator(context: Context, orderId: string, own: readonly ExecutionRow[]): Promise<void> {
  const isLost = own.some(({ looks }) => looks + 1 >= looksBeforeQuarantine);
  if (!isLost || !(await quarantine(context, orderId))) return;
  context.log.error(
    { order: orderId },
    'An order waits for an operator: its outcome at a venue could not be determined',
  );
}
