import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { newId } from '../../../shared/ids.js';
import type { Catalogue } from '../markets/catalogue.js';
import { askVenue, placeAtVenue, type Desk } from '../orders/desk.js';
import { planOrder } from '../orders/plan-order.js';
import type { Report } from '../orders/report.js';
import type { RoutePlan } from '../routing/routing.js';
import {
  hedgeOrdersOf,
  insertHedgeOrders,
  leaseHedges,
  lockHedge,
  type HedgeOrderRow,
  type HedgeRow,
} from './hedge.store.js';
import { finishHedge, isSettled, putOff, settleHedge } from './settle-hedge.js';

/** Trades at the venues what the house owes, or is left with, of quotes that were executed. */
export interface Hedger {
  /** Begins to look for hedges that are due. */
  start(): void;
  /** Does at once what is due: for tests, and for the loop. */
  step(): Promise<void>;
  /** Ends once what is under way has ended. */
  stop(): Promise<void>;
}

export interface HedgerOptions {
  readonly stepMs?: number;
}

/** Hedges of one step; the rest is for the next. */
const stepSize = 50;
/** Longer than a venue takes to respond or time out: until then nobody else looks at a hedge. */
const leaseSeconds = 60;
/** After this time a hedge is tried again that no venue could take, or of which something is unknown. */
const againSeconds = 2;

/**
 * Makes the hedger of a process; any number of them work side by side. Each child order is committed before it is sent, sent once, and
 * looked up where its fate is unknown; only what is known not to have been traded is sent again, as a new child order.
 */
export function createHedger(
  context: Context,
  parts: { readonly desk: Desk; readonly catalogue: Catalogue },
  { stepMs = 250 }: HedgerOptions = {},
): Hedger {
  const ended = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const step = async () => {
    const due = await leaseHedges(context, stepSize, leaseSeconds);
    const results = await Promise.allSettled(due.map((hedge) => advance(context, parts, hedge)));
    for (const result of results) {
      if (result.status === 'rejected')
        context.log.error({ err: result.reason as unknown }, 'A hedge failed; it is tried again');
    }
  };
  const loop = async () => {
    while (!ended.signal.aborted) {
      await step().catch((error: unknown) => {
        context.log.error({ err: error }, 'Hedges could not be read');
      });
      await sleep(stepMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
    }
  };
  return {
    start: () => {
      running = loop();
    },
    step,
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

/** Looks up what is unknown of a hedge; where all is known, sends what is left of it, or ends it. */
async function advance(
  context: Context,
  { desk, catalogue }: { readonly desk: Desk; readonly catalogue: Catalogue },
  hedge: HedgeRow,
): Promise<void> {
  const venueOf = ({ venue }: HedgeOrderRow) => desk.markets.venues(hedge.synthetic).find(({ name }) => name === venue);
  const sent = await hedgeOrdersOf(context, hedge);
  const unsettled = sent.filter((one) => !isSettled(one));
  if (unsettled.length > 0) {
    const looks = unsettled.map((one) => askVenue(context, one, venueOf(one)?.lookUp(one.id, one.symbol)));
    return settleHedge(context, hedge.quoteId, await Promise.all(looks), againSeconds);
  }
  const left = new Decimal(hedge.amount).minus(hedge.hedgedAmount);
  if (left.lessThanOrEqualTo(0)) return finishHedge(context, hedge.quoteId);
  const market = await catalogue.require(context, hedge.symbol);
  const { result } = planOrder(
    desk,
    {
      symbol: hedge.symbol,
      side: hedge.side,
      type: 'MARKET',
      size: { amount: left },
      price: undefined,
      clientOrderId: null,
      timeInForce: 'IOC',
      postOnly: false,
      expiresAt: null,
    },
    market,
    hedge.synthetic,
  );
  // What no venue takes because it is too little stays the house's position.
  if (result.kind === 'REFUSED' && result.reason === 'BELOW_MINIMUM') return finishHedge(context, hedge.quoteId);
  if (result.kind === 'REFUSED') return putOff(context, hedge.quoteId, result.reason, againSeconds);
  const children = childrenOf(context, hedge, result);
  const begunMs = performance.now();
  if (!(await commitChildren(context, hedge, sent.length, children))) return;
  const reports: Report[] = await Promise.all(children.map((one) => placeAtVenue(context, venueOf(one), one, begunMs)));
  return settleHedge(context, hedge.quoteId, reports, 0);
}

/**
 * Commits child orders that are to be sent; false where another process, which took this one for dead, has gone on meanwhile.
 * @param seen how many child orders there were when these were planned
 */
function commitChildren(
  context: Context,
  { quoteId }: HedgeRow,
  seen: number,
  children: readonly HedgeOrderRow[],
): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const hedge = await lockHedge(tx, quoteId);
    if (hedge.state === 'DONE' || (await hedgeOrdersOf(tx, hedge)).length !== seen) return false;
    await insertHedgeOrders(tx, quoteId, children);
    return true;
  });
}

function childrenOf({ clock }: Context, { symbol, side }: HedgeRow, { children }: RoutePlan): HedgeOrderRow[] {
  const createdAt = clock.now();
  return children.map(({ venue, amount, limitPrice }) => ({
    id: newId(createdAt.getTime()),
    venue,
    symbol,
    side,
    amount: amount.toFixed(),
    limitPrice: limitPrice.toFixed(),
    timeInForce: 'IOC',
    postOnly: false,
    state: 'SENDING',
    reason: null,
    reportedAmount: '0',
    filledAmount: '0',
    looks: 0,
    nextLookAt: null,
    createdAt,
  }));
}
