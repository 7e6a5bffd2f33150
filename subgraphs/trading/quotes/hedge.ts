import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/kernel/context.js';
import { groupCommit } from '../../../shared/database/group-commit.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createPace } from '../../../shared/work/pace.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import { askVenue, placeAtVenue } from '../orders/call-venue.js';
import type { Desk } from '../orders/desk.js';
import { unsent } from '../orders/execution.store.js';
import type { RequestedOrder } from '../orders/order-input.js';
import { routeInput } from '../orders/plan-order.js';
import { isComplete } from '../orders/report.js';
import { idleMs, ordersDueTopic, stepMs } from '../orders/wake.js';
import { route } from '../routing/route.js';
import type { RouteInput, RoutePlan } from '../routing/routing.js';
import {
  hedgeOrdersOf,
  insertHedgeOrders,
  leaseHedges,
  lockHedges,
  type HedgeOrderRow,
  type HedgeRow,
} from './hedge.store.js';
import { settleHedge } from './settle-hedge.js';

export interface Hedger {
  start(): void;
  step(): Promise<void>;
  stop(): Promise<void>;
}

const stepSize = 50;
/** A step that takes longer waits for a venue: the next one starts beside it, up to a maximum. */
const patienceMs = 1_000;
const mostSteps = 8;
/** Longer than a venue takes to respond or time out, so that nobody else processes the hedge until then. */
const leaseSeconds = 60;
/** Delay before a hedge is tried again if no venue could accept it, or an outcome is unknown. */
const againSeconds = 2;
/** Longest backoff of a hedge that venues reject repeatedly; the first delay is `againSeconds`, doubled each time. */
const longestAgainSeconds = 32;

/** Any number of processes work side by side. A child order is committed, sent once, and looked up if unknown; only what is known not to be traded is sent again, as a new one. */
export function createHedger(context: Context, parts: { readonly desk: Desk; readonly catalogue: Catalogue }): Hedger {
  const ended = new AbortController();
  const pace = createPace(ended.signal);
  let running: Promise<void> = Promise.resolve();
  /** @returns whether more is due, and the next step is worth starting at once */
  const step = async () => {
    const due = await leaseHedges(context, stepSize, leaseSeconds);
    if (due.length === 0) return false;
    // Their next step is due soon.
    pace.wake();
    const sent = await hedgeOrdersOf(context, due);
    const results = await Promise.allSettled(
      due.map((hedge, index) => advance(context, parts, hedge, sent[index] ?? [])),
    );
    for (const result of results) {
      if (result.status === 'rejected') logFailed(context.log, result.reason, 'A hedge failed; it will be retried');
    }
    return due.length === stepSize && results.some((result) => result.status === 'fulfilled' && isDone(result.value));
  };
  const underWay = new Set<Promise<boolean>>();
  const begin = (): Promise<boolean> => {
    const begun = step().catch((error: unknown) => {
      logFailed(context.log, error, 'Hedges could not be read');
      return false;
    });
    underWay.add(begun);
    void begun.finally(() => underWay.delete(begun));
    return begun;
  };
  const loop = async () => {
    const stopListening = await context.bus.listen(ordersDueTopic, pace.wake);
    while (!ended.signal.aborted) {
      // Hedges that wait for a venue are leased: the next step takes others.
      const isMore = await withPatience(begin());
      if (underWay.size >= mostSteps) await Promise.race(underWay);
      else if (!isMore) await pace.rest(stepMs, idleMs);
    }
    await stopListening();
    await Promise.all(underWay);
  };
  return {
    start: () => {
      running = loop();
    },
    step: async () => {
      await step();
    },
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

async function withPatience(step: Promise<boolean>): Promise<boolean> {
  const said = new AbortController();
  try {
    const late = sleep(patienceMs, false, { ref: false, signal: said.signal }).catch(() => false);
    return await Promise.race([step, late]);
  } finally {
    said.abort();
  }
}

const isDone = ({ state }: HedgeRow): boolean => state === 'DONE';

/**
 * Looks up unknown child orders of a hedge; once all are known, sends the rest, or ends the hedge. Hedges that reach the same stage at the same
 * time share their transactions, and one that fails does not stop the others.
 * @param sent all its child orders so far
 * @returns the hedge in its new state
 */
async function advance(
  context: Context,
  { desk, catalogue }: { readonly desk: Desk; readonly catalogue: Catalogue },
  hedge: HedgeRow,
  sent: readonly HedgeOrderRow[],
): Promise<HedgeRow> {
  const { quoteId } = hedge;
  const venueOf = ({ venue }: HedgeOrderRow) => desk.markets.venues(hedge.synthetic).find(({ name }) => name === venue);
  const unsettled = sent.filter((one) => !isComplete(one));
  if (unsettled.length > 0) {
    const looks = unsettled.map((one) => askVenue(context, one, venueOf(one)?.lookUp(one.id, one.symbol)));
    return settleHedge(context, { quoteId, reports: await Promise.all(looks), afterSeconds: againSeconds });
  }
  const left = new Decimal(hedge.amount).minus(hedge.hedgedAmount);
  if (left.lessThanOrEqualTo(0)) return settleHedge(context, { quoteId, reports: [], afterSeconds: againSeconds });
  const input = restInput(desk, hedge, left, await catalogue.require(context, hedge.symbol));
  const result = route(input);
  if (result.kind === 'REFUSED') {
    const { reason } = result;
    // A rest below every venue's minimum stays the house's position; a venue that is unavailable now may accept it later.
    const isRest = reason === 'BELOW_MINIMUM' && input.venues.every(({ minAmount }) => left.lessThan(minAmount));
    return settleHedge(context, { quoteId, reports: [], afterSeconds: againSeconds, reason, isRest });
  }
  const children = childrenOf(context, hedge, result);
  const begunMs = performance.now();
  if (!(await commitChildren(context, { hedge, seen: sent.length, children }))) return hedge;
  const reports = await Promise.all(children.map((one) => placeAtVenue(context, venueOf(one), one, begunMs)));
  const isRefused = reports.every(({ state }) => state === 'REJECTED');
  return settleHedge(context, { quoteId, reports, afterSeconds: isRefused ? secondsAfter(sent) : 0 });
}

/** Returns the delay before a hedge that was just rejected is tried again: venues repeat rejections such as those below a minimum value. */
function secondsAfter(sent: readonly HedgeOrderRow[]): number {
  const refusals = sent.length - 1 - sent.findLastIndex(({ state }) => state !== 'REJECTED');
  return Math.min(longestAgainSeconds, againSeconds * 2 ** Math.min(refusals, 10));
}

function restInput(desk: Desk, hedge: HedgeRow, left: Decimal, market: MarketRow): RouteInput {
  const { symbol, side, synthetic } = hedge;
  const request: RequestedOrder = {
    symbol,
    side,
    type: 'MARKET',
    size: { amount: left },
    price: undefined,
    clientOrderId: null,
    timeInForce: 'IOC',
    postOnly: false,
    expiresAt: null,
  };
  return routeInput(desk, request, market, synthetic);
}

interface Going {
  /** The hedge when these orders were planned. */
  readonly hedge: HedgeRow;
  /** The number of child orders when these were planned. */
  readonly seen: number;
  readonly children: readonly HedgeOrderRow[];
}

/** Returns false if another process has gone on meanwhile, or a fill has arrived by itself, so that less is left than was planned. */
const commitChildren = groupCommit<Going, boolean>({
  work: async (tx, members) => {
    const going = members.map(({ item }) => item);
    const hedges = await lockHedges(
      tx,
      going.map(({ hedge: { quoteId } }) => quoteId),
    );
    const known = await hedgeOrdersOf(tx, hedges);
    const isNext = going.map(
      ({ hedge: { hedgedAmount }, seen }, index) =>
        hedges[index]?.state === 'OPEN' && hedges[index].hedgedAmount === hedgedAmount && known[index]?.length === seen,
    );
    await insertHedgeOrders(
      tx,
      going.flatMap(({ children }, index) => (isNext[index] === true ? children : [])),
    );
    return isNext;
  },
  lockOf: ({ hedge: { quoteId } }) => quoteId,
  isSingle: () => true,
});

function childrenOf({ clock }: Context, hedge: HedgeRow, { children }: RoutePlan): HedgeOrderRow[] {
  const { quoteId, symbol, side } = hedge;
  const createdAt = clock.now();
  return children.map(({ venue, amount, limitPrice }) => ({
    id: newId(createdAt.getTime()),
    quoteId,
    venue,
    symbol,
    side,
    amount: amount.toFixed(),
    limitPrice: limitPrice.toFixed(),
    timeInForce: 'IOC',
    postOnly: false,
    createdAt,
    ...unsent,
  }));
}
