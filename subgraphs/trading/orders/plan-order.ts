import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { againLater } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import { route } from '../routing/route.js';
import { maxLevels, type RouteInput, type RoutePlan, type RouteRefusal, type RouteVenue } from '../routing/routing.js';
import type { Book, Level } from '../venues/venue.js';
import type { Desk } from './desk.js';
import type { RequestedOrder } from './order-input.js';
import { orderReasons, type OrderStatus } from './order.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Member } from '../../../shared/database/group-commit.js';
import { withinFunds, type Giving } from '../ledger/post-journals.js';
import type { Terms } from '../profiles/profile.store.js';
import { requireWithinLimits } from './order-limits.js';
import type { OrderRow, Cost, Decision } from './order.store.js';

export interface Planned {
  /** The plan with the house's present funds. */
  readonly result: RoutePlan | RouteRefusal;
  /** The plan with endless funds at the venues: the client's means are judged by it. The same object as `result` if the house's funds suffice. */
  readonly wanted: RoutePlan | RouteRefusal;
  readonly decision: Decision;
}

/** A client with too little learns nothing of the house's funds: they count only where they do not suffice for what the books allow. */
export function planOrder(desk: Desk, request: RequestedOrder, market: MarketRow, synthetic: boolean): Planned {
  const input = routeInput(desk, request, market, synthetic);
  const wanted = route({ ...input, venues: input.venues.map((venue) => ({ ...venue, funds: endless })) });
  if (wanted.kind === 'REFUSED' || isFunded(input, wanted))
    return { wanted, result: wanted, decision: decisionOf(input, wanted) };
  const possible = route(input);
  const result: Planned['result'] =
    possible.kind === 'PLAN' ? { ...possible, singles: wanted.singles } : { ...possible, reason: 'NO_FUNDS' };
  return { wanted, result, decision: decisionOf(input, result) };
}

const endless = { base: new Decimal(Infinity), quote: new Decimal(Infinity) };

function isFunded({ side, venues }: RouteInput, { children }: RoutePlan): boolean {
  return children.every(({ venue: name, amount, limitPrice }) => {
    const venue = venues.find((one) => one.venue === name);
    if (venue === undefined) return false;
    const { fees, funds } = venue;
    if (side === 'SELL') return amount.lessThanOrEqualTo(funds.base);
    const fee = Decimal.max(fees.maker, fees.taker);
    return amount.times(limitPrice).times(fee.plus(1)).lessThanOrEqualTo(funds.quote);
  });
}

export function plan(input: RouteInput): Omit<Planned, 'wanted'> {
  const result = route(input);
  return { result, decision: decisionOf(input, result) };
}

export function routeInput(desk: Desk, request: RequestedOrder, market: MarketRow, synthetic: boolean): RouteInput {
  const books = desk.markets.books(synthetic, request.symbol);
  return {
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    size: 'budget' in request.size ? { quoteAmount: request.size.budget } : request.size,
    ...(request.price === undefined ? {} : { price: request.price }),
    collarPercent: new Decimal(market.collarPercent),
    timeInForce: request.timeInForce === 'GTD' ? 'GTC' : request.timeInForce,
    postOnly: request.postOnly,
    amountDecimals: market.amountDecimals,
    venues: desk.markets.venues(synthetic).flatMap((venue) =>
      routeVenue(
        desk,
        venue,
        books.find((book) => book.venue === venue.name),
        market,
      ),
    ),
  };
}

function routeVenue(
  desk: Desk,
  venue: ReturnType<Desk['markets']['venues']>[number],
  book: Book | undefined,
  { symbol, base, quote }: MarketRow,
): RouteVenue[] {
  const own = venue.markets().find((one) => one.symbol === symbol);
  if (own === undefined) return [];
  return [
    {
      venue: venue.name,
      usable: venue.isUsable() && book !== undefined,
      bids: book?.bids ?? [],
      asks: book?.asks ?? [],
      fees: venue.fees(symbol),
      funds: { base: desk.funds(venue.name, base), quote: desk.funds(venue.name, quote) },
      amountDecimals: own.amountDecimals,
      priceDecimals: own.priceDecimals,
      minAmount: own.minAmount,
      ...(own.minNotional === undefined ? {} : { minNotional: own.minNotional }),
    },
  ];
}

export interface Ending {
  readonly status: Extract<OrderStatus, 'REJECTED' | 'CANCELLED'>;
  readonly reason: string;
}

/** @throws {ApiError} MARKET_NOT_AVAILABLE where no venue is available, BELOW_MINIMUM for less than the venues' minimum */
export function endingOf({ reason }: RouteRefusal, { timeInForce, type }: RequestedOrder): Ending {
  switch (reason) {
    case 'NO_VENUE':
    case 'NO_FUNDS':
      throw new ApiError('MARKET_NOT_AVAILABLE', {
        message: `No venue can accept the order at the moment. ${againLater}`,
      });
    case 'BELOW_MINIMUM':
      throw new ApiError('BELOW_MINIMUM');
    case 'WOULD_TAKE':
      return { status: 'REJECTED', reason: orderReasons.WOULD_TAKE };
    case 'NOT_FILLABLE':
      return { status: 'CANCELLED', reason: `${orderReasons.NOT_FILLABLE} (${timeInForce})` };
    case 'NO_LIQUIDITY':
      return type === 'MARKET'
        ? { status: 'REJECTED', reason: orderReasons.OUTSIDE_COLLAR }
        : { status: 'CANCELLED', reason: `${orderReasons.OUTSIDE_LIMIT} (${timeInForce})` };
  }
}

function decisionOf(input: RouteInput, result: RoutePlan | RouteRefusal): Decision {
  const plan = result.kind === 'PLAN' ? result : undefined;
  return {
    mid: result.mid?.toFixed() ?? null,
    bound: plan?.bound.toFixed() ?? null,
    slippagePercent: plan?.slippagePercent?.toDecimalPlaces(6).toFixed() ?? null,
    refused: result.kind === 'REFUSED' ? result.reason : null,
    expected: plan === undefined ? null : costOf(plan.expected),
    venues: input.venues.map(({ venue, usable, fees, bids, asks }) => {
      const alone = plan?.singles.find((single) => single.venue === venue);
      return {
        venue,
        usable,
        makerFee: fees.maker.toFixed(),
        takerFee: fees.taker.toFixed(),
        bids: bids.slice(0, maxLevels).map(levelOf),
        asks: asks.slice(0, maxLevels).map(levelOf),
        alone: alone === undefined ? null : costOf(alone),
      };
    }),
    children: (plan?.children ?? []).map(({ venue, amount, limitPrice, timeInForce }) => ({
      venue,
      amount: amount.toFixed(),
      limitPrice: limitPrice.toFixed(),
      timeInForce,
    })),
  };
}

function costOf({ amount, notional, fees, total }: RoutePlan['expected']): Cost {
  return { amount: amount.toFixed(), notional: notional.toFixed(), fees: fees.toFixed(), total: total.toFixed() };
}

function levelOf({ price, amount }: Level): Decision['venues'][number]['asks'][number] {
  return { price: price.toFixed(), amount: amount.toFixed() };
}

export interface Demand {
  readonly desk: Desk;
  readonly terms: Terms;
  readonly order: Pick<OrderRow, 'companyId' | 'walletId' | 'synthetic' | 'quote'>;
  /** Its worst-case value in its quote currency; undefined where nothing is traded. */
  readonly value: Decimal | undefined;
  /** The client's payment; undefined where nothing is traded. */
  readonly giving: Giving | undefined;
}

/** Drops members beyond a limit or without funds, so that one failure does not undo the others. A single member goes on to the ledger. @throws {ApiError} UNPROCESSABLE for one beyond a limit */
export async function fittingOf<Item>(
  tx: Context,
  members: readonly Member<Item>[],
  demandOf: (item: Item) => Demand,
): Promise<Member<Item>[]> {
  const within: { readonly member: Member<Item>; readonly giving: Giving | undefined }[] = [];
  for (const member of members) {
    const { desk, terms, order, value, giving } = demandOf(member.item);
    try {
      if (value !== undefined) await requireWithinLimits(tx, desk, terms, order, value);
      within.push({ member, giving });
    } catch (error) {
      if (members.length === 1 || !(error instanceof ApiError)) throw error;
    }
  }
  if (members.length === 1) return within.map(({ member }) => member);
  const all = within.flatMap(({ giving }) => giving ?? []);
  const funded = await withinFunds(tx, all);
  const lacking = new Set(all.filter((_, index) => funded[index] !== true));
  return within.flatMap(({ member, giving }) => (giving !== undefined && lacking.has(giving) ? [] : [member]));
}
