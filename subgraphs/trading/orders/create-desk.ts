import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Context } from '../../../shared/kernel/context.js';
import { listCurrencies, type MarketRow } from '../markets/market.store.js';
import type { MarketData } from '../markets/market-data.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import type { Fill } from '../venues/venue.js';
import { askVenue, placeAtVenue } from './call-venue.js';
import type { Desk, Sendable } from './desk.js';
import type { ExecutionRow } from './execution.store.js';
import type { Report } from './report.js';
import { type RouteRest, settleReports, settleRound } from './settle-reports.js';
import type { RouteInput } from '../routing/routing.js';
import { lastRound, type Rest, plannedExecutions } from './next-round.js';
import type { RequestedOrder } from './order-input.js';
import type { OrderRow, NewRound } from './order.store.js';
import { plan, routeInput } from './plan-order.js';

export function createDesk(session: string, markets: MarketData): Desk {
  const sending = new Map<string, Fill[]>();
  let kept: Fill[] = [];
  const venueOf = ({ venue, synthetic }: ExecutionRow): SupervisedVenue | undefined =>
    markets.venues(synthetic).find(({ name }) => name === venue);
  const settle = async (context: Context, orderId: string, reports: readonly Report[]): Promise<Sendable> => {
    const begunMs = performance.now();
    const routeRest: RouteRest = (tx, order, market, rest) => planRest(tx, desk, order, market, rest);
    return { ...(await settleRound(context, orderId, reports, routeRest)), begunMs };
  };
  const sendRounds: Desk['send'] = async (context, orderId, executions, begunMs) => {
    const early: Fill[] = [];
    const reported = new Set<string>();
    for (const { id } of executions) sending.set(id, early);
    let settled: Sendable;
    try {
      const place = (one: ExecutionRow) => placeAtVenue(context, venueOf(one), one, begunMs);
      const reports = await Promise.all(executions.map(place));
      for (const { tradeId } of reports.flatMap(({ fills = [] }) => fills)) reported.add(tradeId);
      // An execution that has ended may have fills that came by themselves and that the response does not contain yet: no round goes on without them.
      const over = new Set(reports.flatMap(({ executionId, state }) => (state === 'CANCELLED' ? [executionId] : [])));
      const others = early.filter(({ tradeId, clientOrderId }) => over.has(clientOrderId) && !reported.has(tradeId));
      const late = others.map((fill): Report => ({ executionId: fill.clientOrderId, fills: [fill] }));
      settled = await settle(context, orderId, [...reports, ...late]);
      for (const { tradeId } of others) reported.add(tradeId);
    } finally {
      for (const { id } of executions) sending.delete(id);
      kept.push(...early.filter(({ tradeId }) => !reported.has(tradeId)));
    }
    const { order, next } = settled;
    return next.length === 0 ? order : sendRounds(context, orderId, next, settled.begunMs);
  };
  const desk: Desk = {
    session,
    markets,
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
      requireOutside(context);
      return sendRounds(context, orderId, executions, begunMs);
    },
    cancel: async (context, orderId, executions) => {
      requireOutside(context);
      const ask = (one: ExecutionRow) => askVenue(context, one, venueOf(one)?.cancel(one.id, one.symbol));
      return settleReports(context, orderId, await Promise.all(executions.map(ask)));
    },
    look: async (context, orderId, executions) => {
      requireOutside(context);
      const ask = (one: ExecutionRow) => askVenue(context, one, venueOf(one)?.lookUp(one.id, one.symbol));
      const { order, next, begunMs } = await settle(context, orderId, await Promise.all(executions.map(ask)));
      return next.length === 0 ? order : sendRounds(context, orderId, next, begunMs);
    },
    settle,
    ...createFunds(markets),
  };
  return desk;
}

function createFunds(markets: MarketData): Pick<Desk, 'funds' | 'decimals' | 'refresh'> {
  const funds = new Map<string, Decimal>();
  const decimals = new Map<string, number>();
  return {
    funds: (venue, currency) => funds.get(`${venue} ${currency}`) ?? new Decimal(0),
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
      // While a venue does not respond, its last reported funds count.
      await Promise.allSettled(venues.map(read));
    },
  };
}

/** Venues must not be called in a transaction, which would hold its locks until the venue responds. */
function requireOutside({ onCommit }: Context): void {
  if (onCommit !== undefined) throw new Error('Venues must be called outside of inTransaction, after the commit');
}

/** Routes within the bounds of the first plan; undefined where the books offer nothing. Reads memory only: it is called in the transaction that settles the round. */
function planRest(
  context: Pick<Context, 'clock'>,
  desk: Desk,
  order: OrderRow,
  market: MarketRow,
  { amount, within, executions }: Rest,
): NewRound | undefined {
  const { id: orderId, symbol, side, type, price, clientOrderId, synthetic } = order;
  const request: RequestedOrder = {
    symbol,
    side,
    type,
    size: { amount },
    price: price === null ? undefined : new Decimal(price),
    clientOrderId,
    timeInForce: 'IOC',
    postOnly: false,
    expiresAt: null,
  };
  const input = withoutFailed(desk, { ...routeInput(desk, request, market, synthetic), within }, synthetic, executions);
  const { result, decision } = plan(input);
  if (result.kind === 'REFUSED') return undefined;
  const round = lastRound(executions) + 1;
  return {
    orderId,
    round,
    decision,
    executions: plannedExecutions(context, order, result, { session: desk.session, round }),
  };
}

/** Excludes venues that rejected a part, or whose book is not newer than the last part sent there: it still shows what was gone by then. Their books count for the mid price. */
function withoutFailed(
  desk: Desk,
  input: RouteInput,
  synthetic: boolean,
  executions: readonly ExecutionRow[],
): RouteInput {
  const readAt = new Map(desk.markets.books(synthetic, input.symbol).map(({ venue, at }) => [venue, at]));
  const isOut = (venue: string) => {
    const at = readAt.get(venue);
    return executions.some(
      (sent) => sent.venue === venue && (sent.state === 'REJECTED' || at === undefined || at < sent.createdAt),
    );
  };
  const none = { base: new Decimal(0), quote: new Decimal(0) };
  return { ...input, venues: input.venues.map((one) => (isOut(one.venue) ? { ...one, funds: none } : one)) };
}
