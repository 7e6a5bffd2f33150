import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Reads } from '../../../shared/database/read-together.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { againLater } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import type { Desk } from '../orders/desk.js';
import { inBrl } from '../orders/order-limits.js';
import type { Cost, Decision } from '../orders/order.store.js';
import { maxLevels } from '../routing/routing.js';
import { offersOf, withoutResting, type OfferedBook, type Offers } from './offers.js';
import { priceQuote, type QuotePrice } from './price-quote.js';
import { requireMinimum } from '../orders/order-input.js';
import { type QuoteTerms, restingIn } from './quote.store.js';
import { houseTiers, spreadOf } from './quote.js';

export interface Priced {
  readonly price: QuotePrice;
  /** The price of one unit of the quote currency in BRL. */
  readonly brlRate: Decimal;
  readonly decision: Decision;
}

/** Leaves out resting orders that were placed through the house. @throws {ApiError} MARKET_NOT_AVAILABLE, BELOW_MINIMUM, UNPROCESSABLE */
export async function priceNow(
  reads: Reads,
  desk: Desk,
  { market, synthetic }: { readonly market: MarketRow; readonly synthetic: boolean },
  { side, size }: Pick<Parameters<typeof priceQuote>[0], 'side' | 'size'>,
  { tiers, takerFee }: QuoteTerms,
): Promise<Priced> {
  const shown = desk.markets.books(synthetic, market.symbol);
  const resting = await restingIn(reads, { symbol: market.symbol, synthetic }, shown);
  const venues = new Map(desk.markets.venues(synthetic).map((venue) => [venue.name, venue]));
  const books = shown.flatMap((book): OfferedBook[] => {
    const fees = venues.get(book.venue)?.fees(market.symbol);
    return fees === undefined ? [] : [withoutResting({ ...book, fees }, resting)];
  });
  const offers = offersOf(side, books, new Decimal(market.collarPercent));
  const brlRate = inBrl(desk, new Decimal(1), market.quote, synthetic);
  if (offers === undefined || brlRate === undefined)
    throw new ApiError('MARKET_NOT_AVAILABLE', { message: `The market has no price at the moment. ${againLater}` });
  const spread = spreadOf(side, tiers.length === 0 ? houseTiers : tiers, brlRate);
  const quoted = priceQuote({
    side,
    size,
    offers,
    spread,
    feePercent: new Decimal(takerFee),
    amountDecimals: market.amountDecimals,
    priceDecimals: market.priceDecimals,
    quoteDecimals: desk.decimals(market.quote),
  });
  if (quoted === 'TOO_LITTLE') throw new ApiError('BELOW_MINIMUM');
  if (quoted === 'TOO_MUCH') {
    const most = offers.depth.toDecimalPlaces(market.amountDecimals, Decimal.ROUND_DOWN).toFixed();
    throw new ApiError('UNPROCESSABLE', byRule('TOO_FEW_OFFERS', { max: most, currency: market.base }));
  }
  requireMinimum(quoted.amount, market);
  return { price: quoted, brlRate, decision: decisionOf(offers, books, quoted, side === 'BUY') };
}

/** Returns the market data of the price, in the form stored with an order. No venue receives anything for it. */
function decisionOf(
  { mid, bound }: Offers,
  books: readonly OfferedBook[],
  quoted: QuotePrice,
  isBuy: boolean,
): Decision {
  const { amount, value, fee, bookValue } = quoted;
  const slippage = bookValue
    .dividedBy(amount)
    .dividedBy(mid)
    .minus(1)
    .times(isBuy ? 100 : -100);
  const expected: Cost = {
    amount: amount.toFixed(),
    notional: value.toFixed(),
    fees: fee.toFixed(),
    total: (isBuy ? value.plus(fee) : value.minus(fee)).toFixed(),
  };
  const shown = (levels: OfferedBook['bids']) =>
    levels.slice(0, maxLevels).map((level) => ({ price: level.price.toFixed(), amount: level.amount.toFixed() }));
  return {
    mid: mid.toFixed(),
    bound: bound.toFixed(),
    slippagePercent: slippage.toDecimalPlaces(6).toFixed(),
    refused: null,
    expected,
    venues: books.map(({ venue, fees, bids, asks }) => ({
      venue,
      usable: true,
      makerFee: fees.maker.toFixed(),
      takerFee: fees.taker.toFixed(),
      bids: shown(bids),
      asks: shown(asks),
      alone: null,
    })),
    children: [],
  };
}
