import { Decimal } from '../../../shared/decimal.js';
import type { Context } from '../../../shared/context.js';
import { listCurrencies } from '../markets/currency.store.js';
import type { MarketData } from '../markets/market-data.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import { VenueUnknown, type Fill, type RejectReason, type VenueOrder } from '../venues/venue.js';
import type { ExecutionRow, Outgoing } from './execution.store.js';
import type { OrderRow } from './order.store.js';
import type { Report } from './report.js';
import { settleReports } from './settle-reports.js';

/** Deals with venues, for the executions of this process. */
export interface Desk {
  /** Names this process in what it sends. */
  readonly session: string;
  readonly markets: MarketData;
  /** What the house has available on a venue, as it was at most some seconds ago. */
  funds(venue: string, currency: string): Decimal;
  /** Decimals of a currency. */
  decimals(currency: string): number;
  /**
   * Sends the executions of an order that was committed with them, once, and settles what the venues say. Those that could not leave
   * in time are REJECTED: another process may have looked them up in vain meanwhile.
   * @param begunMs when their commit began, as `performance.now()` had it; see `placeAtVenue`
   * @throws inside of a transaction, as `cancel` and `look` do
   */
  send(context: Context, orderId: string, executions: readonly ExecutionRow[], begunMs: number): Promise<OrderRow>;
  /** Asks the venues to cancel executions, and settles what they say. */
  cancel(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** Looks executions up whose fate is not known. */
  look(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** The executions that are being sent at this moment. */
  sending(): string[];
  /**
   * Keeps a fill of an execution that is being sent, since most come with the response too; what did not is left for `takeKept`.
   * @returns false where the execution is not being sent
   */
  keep(fill: Fill): boolean;
  /** The fills that no response had. */
  takeKept(): Fill[];
  /** Reads currencies and the house's funds. Before the first order, and from time to time. */
  refresh(context: Context): Promise<void>;
}

/** Waits before the looks at an execution whose fate is not known; the last one is repeated. */
const lookAfterMs = [250, 1_000, 2_000, 5_000, 15_000, 60_000];
/**
 * A venue that says that it does not have an order is taken at its word when it has said so so often in a row, and at so many looks at the
 * earliest: the order may be on its way still, or the venue err.
 */
const absencesNeeded = 2;
const looksNeeded = 3;
/** From the commit to the sending passes no more; another process takes a silent one's executions over later than that. */
const sendWithinMs = 5_000;
/** Looks after which an operator is called. */
export const looksBeforeQuarantine = 12;

export function createDesk(session: string, markets: MarketData): Desk {
  const sending = new Map<string, Fill[]>();
  let kept: Fill[] = [];
  const funds = new Map<string, Decimal>();
  const decimals = new Map<string, number>();
  const venueOf = ({ venue, synthetic }: ExecutionRow): SupervisedVenue | undefined =>
    markets.venues(synthetic).find(({ name }) => name === venue);
  const each = (
    orderId: string,
    executions: readonly ExecutionRow[],
    report: (one: ExecutionRow) => Promise<Report>,
  ) => {
    return async (context: Context) => {
      requireOutside(context);
      return settleReports(context, orderId, await Promise.all(executions.map(report)));
    };
  };
  return {
    session,
    markets,
    funds: (venue, currency) => funds.get(`${venue} ${currency}`) ?? new Decimal(0),
    sending: () => [...sending.keys()],
    keep: (fill) => {
      const early = sending.get(fill.clientOrderId);
      early?.push(fill);
      return early !== undefined;
    },
    takeKept: () => {
      const taken = kept;
      kept = [];
      return taken;
    },
    send: async (context, orderId, executions, begunMs) => {
      const early: Fill[] = [];
      const reported = new Set<string>();
      for (const { id } of executions) sending.set(id, early);
      try {
        return await each(orderId, executions, async (one) => {
          const report = await placeAtVenue(context, venueOf(one), one, begunMs);
          for (const { tradeId } of report.fills ?? []) reported.add(tradeId);
          return report;
        })(context);
      } finally {
        for (const { id } of executions) sending.delete(id);
        kept.push(...early.filter(({ tradeId }) => !reported.has(tradeId)));
      }
    },
    cancel: (context, orderId, executions) =>
      each(orderId, executions, (one) => askVenue(context, one, venueOf(one)?.cancel(one.id, one.symbol)))(context),
    look: (context, orderId, executions) =>
      each(orderId, executions, (one) => askVenue(context, one, venueOf(one)?.lookUp(one.id, one.symbol)))(context),
    decimals: (currency) => {
      const known = decimals.get(currency);
      if (known === undefined) throw new Error(`There is no currency ${currency}`);
      return known;
    },
    refresh: async (context) => {
      for (const row of await listCurrencies(context)) decimals.set(row.code, row.decimals);
      const venues = [...markets.venues(false), ...markets.venues(true)];
      const read = async (venue: SupervisedVenue) => {
        for (const { currency, available } of await venue.balances()) funds.set(`${venue.name} ${currency}`, available);
      };
      // What a venue has is not known while it does not say: then the last that it said counts.
      await Promise.allSettled(venues.map(read));
    },
  };
}

/**
 * What a client reads of a rejection. What the venue itself says is about the account of the house there, and may have addresses and
 * signatures of requests in it: it is for the log.
 */
const rejections: Readonly<Record<RejectReason, string>> = {
  INVALID: 'The venue does not take such an order',
  BELOW_MINIMUM: 'The venue takes no order as small as that',
  INSUFFICIENT_FUNDS: 'The venue takes no such order at the moment',
  WOULD_TAKE: 'The order is post-only and would have taken at once',
  MARKET_CLOSED: 'The venue does not trade the market at the moment',
  RATE_LIMITED: 'The venue takes no more orders at the moment',
  VENUE_DOWN: 'The venue is not used at the moment',
  OTHER: 'The venue did not take it',
};

/** Nothing is asked of a venue inside of a transaction: that would hold its locks as long as the venue takes. */
function requireOutside({ onCommit }: Context): void {
  if (onCommit !== undefined) throw new Error('Venues are asked outside of inTransaction, of what is committed');
}

type Timed = Pick<Context, 'clock' | 'log'>;

/**
 * Sends something to a venue, once, and reports what is then known of it. It was committed before. It does not leave later than five
 * seconds after that, by both clocks: the steady one stands still while the machine is suspended, and the other one may be set back.
 * @param begunMs when its commit began, as `performance.now()` had it
 */
export async function placeAtVenue(
  context: Timed,
  venue: SupervisedVenue | undefined,
  execution: Outgoing,
  begunMs: number,
): Promise<Report> {
  const { id: executionId, symbol, side, amount, limitPrice, timeInForce, postOnly } = execution;
  if (venue === undefined) return { executionId, state: 'REJECTED', reason: 'The venue is not connected' };
  if (Math.max(performance.now() - begunMs, ageMs(context, execution)) > sendWithinMs)
    return { executionId, state: 'REJECTED', reason: 'It was not sent in time' };
  try {
    const result = await venue.place({
      clientOrderId: executionId,
      symbol,
      side,
      type: 'LIMIT',
      amount: new Decimal(amount),
      price: new Decimal(limitPrice),
      timeInForce,
      postOnly,
    });
    if (result.status === 'REJECTED') {
      const { reason, message } = result;
      context.log.info(
        { venue: execution.venue, execution: executionId, reason, message },
        'A venue rejected an order',
      );
      return { executionId, state: 'REJECTED', reason: rejections[reason] };
    }
    return reportOf(context, execution, result.order);
  } catch (error) {
    // The sending is no look: the venue was not asked whether it has it.
    return { ...unknown(context, execution, error), looked: false };
  }
}

/** For how long something has been there by the clock of the program, in milliseconds. */
function ageMs({ clock }: Timed, { createdAt }: Outgoing): number {
  return clock.now().getTime() - createdAt.getTime();
}

/** What a look-up or a cancel tells of an execution. */
export async function askVenue(
  context: Timed,
  execution: Outgoing,
  asking: Promise<VenueOrder | 'absent'> | undefined,
): Promise<Report> {
  try {
    const found = await asking;
    if (found === undefined) return unknown(context, execution, new Error('The venue is not connected'));
    if (found !== 'absent') return { ...reportOf(context, execution, found), looked: true };
    // A venue that told of fills had it: those are to be found, however long it takes.
    const isMissing = new Decimal(execution.filledAmount).lessThan(execution.reportedAmount);
    const isSure = execution.absences + 1 >= absencesNeeded && execution.looks + 1 >= looksNeeded;
    if (isMissing || !isSure)
      return {
        ...unknown(context, execution, new VenueUnknown(execution.venue, 'absent')),
        reason: 'The venue does not have it',
        absent: true,
      };
    const wasThere = execution.state === 'OPEN' || !new Decimal(execution.filledAmount).isZero();
    return {
      executionId: execution.id,
      state: wasThere ? 'CANCELLED' : 'REJECTED',
      reason: wasThere ? 'The venue does not have it any more' : 'It did not arrive at the venue',
      looked: true,
      absent: true,
    };
  } catch (error) {
    return unknown(context, execution, error);
  }
}

function reportOf({ clock }: Timed, { id: executionId, looks }: Outgoing, order: VenueOrder): Report {
  const { state, filled, fills } = order;
  const reported = fills.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  // Fills that are still on their way are asked for when they do not come by themselves.
  const isMissing = reported.lessThan(filled) && state !== 'OPEN';
  return {
    executionId,
    fills,
    state,
    reported: filled,
    ...(isMissing ? { nextLookAt: nextLook(clock.now(), looks) } : {}),
  };
}

/** An execution whose fate is not known is looked up later. One that rests keeps resting. */
function unknown({ clock, log }: Timed, execution: Outgoing, error: unknown): Report {
  const { id: executionId, venue, looks, state } = execution;
  if (!(error instanceof VenueUnknown)) log.warn({ err: error, venue, execution: executionId }, 'A venue failed');
  return {
    executionId,
    state: state === 'OPEN' ? 'OPEN' : 'UNKNOWN',
    reason: error instanceof Error ? error.message.slice(0, 200) : 'It failed',
    // Whoever looks now at what was unknown before has waited for it already.
    nextLookAt: nextLook(clock.now(), state === 'UNKNOWN' ? looks + 1 : looks),
    looked: true,
  };
}

/** When an execution is looked up again that was looked up so often. */
export function nextLook(now: Date, looks: number): Date {
  return new Date(now.getTime() + (lookAfterMs[Math.min(looks, lookAfterMs.length - 1)] ?? 0));
}
