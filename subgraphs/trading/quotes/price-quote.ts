import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Side } from '../venues/venue.js';
import { walkAmount, walkValue, type Offers, offersOf, withoutResting, type OfferedBook } from './offers.js';
import { totalOf, type Spread, houseTiers, spreadOf } from './quote.js';
import type { Reads } from '../../../shared/database/read-together.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { againLater } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import type { Desk } from '../orders/desk.js';
import { inBrl } from '../orders/order-limits.js';
import type { Cost, Decision } from '../orders/order.store.js';
import { maxLevels } from '../routing/routing.js';
import { requireMinimum } from '../orders/order-input.js';
import { type QuoteTerms, restingIn } from './quote.store.js';

/** The quoted size: an amount of the base currency, or what the client pays or gets in all, in the quote currency. */
export type QuoteSize = { readonly amount: Decimal } | { readonly quoteAmount: Decimal };

export interface PriceInput {
  readonly side: Side;
  readonly size: QuoteSize;
  readonly offers: Pick<Offers, 'levels' | 'depth'>;
  readonly spread: Spread;
  /** In percent of the value. */
  readonly feePercent: Decimal;
  /** Decimals of an amount and of a price in the market, and of the quote currency. */
  readonly amountDecimals: number;
  readonly priceDecimals: number;
  readonly quoteDecimals: number;
}

export interface QuotePrice {
  /** In the base currency. */
  readonly amount: Decimal;
  /** In the quote currency, with the decimals of the market. */
  readonly price: Decimal;
  /** Price × amount, in the quote currency: what the client pays or receives without the fee. */
  readonly value: Decimal;
  readonly fee: Decimal;
  /** The value by the books, with the venues' fees: exact. */
  readonly bookValue: Decimal;
  /** How much worse `value` is than `bookValue`, in percent, rounded half up to 4 decimals. */
  readonly spreadPercent: Decimal;
}

/**
 * Prices a quote from the books. A larger BUY never costs less and a larger SELL never yields less, except by the rounding of the price. Rounding is against the
 * client: the price is rounded up for a BUY and down for a SELL to the decimals of the market, then price × amount the same way to the decimals of the quote currency;
 * the fee is rounded down, as for orders. For a requested `quoteAmount`, a BUY gets the largest amount that it can pay, fee included; a SELL gives the smallest amount
 * that yields at least `quoteAmount` after the fee.
 * @returns `TOO_MUCH` if the books do not offer the amount, `TOO_LITTLE` for a size that rounds to zero
 */
export function priceQuote(input: PriceInput): QuotePrice | 'TOO_MUCH' | 'TOO_LITTLE' {
  const { size, offers } = input;
  const amount = 'amount' in size ? size.amount : amountFor(input, size.quoteAmount);
  if (amount.greaterThan(offers.depth)) return 'TOO_MUCH';
  if (amount.lessThanOrEqualTo(0)) return 'TOO_LITTLE';
  const priced = priceOf(input, amount);
  if (priced.value.isZero()) return 'TOO_LITTLE';
  const bookValue = walkValue(offers.levels, amount);
  const spreadPercent = priced.value.minus(bookValue).abs().dividedBy(bookValue).times(100);
  return { amount, ...priced, bookValue, spreadPercent: spreadPercent.toDecimalPlaces(4, Decimal.ROUND_HALF_UP) };
}

function priceOf({ side, offers, spread, feePercent, priceDecimals, quoteDecimals }: PriceInput, amount: Decimal) {
  const against = side === 'BUY' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN;
  const exact = spread.price(walkValue(offers.levels, amount));
  const price = exact.dividedBy(amount).toDecimalPlaces(priceDecimals, against);
  const value = price.times(amount).toDecimalPlaces(quoteDecimals, against);
  return { price, value, fee: feeOf(value, feePercent, quoteDecimals) };
}

/** Chooses not more for a BUY, not less for a SELL. It begins with the nearest by exact prices, and where their rounding makes it miss, goes to one that fits, and halves what lies between. */
function amountFor(input: PriceInput, quoteAmount: Decimal): Decimal {
  const { side, offers, spread, amountDecimals } = input;
  const isBuy = side === 'BUY';
  const inwards = isBuy ? Decimal.ROUND_DOWN : Decimal.ROUND_UP;
  const inUnits = (amount: Decimal) => amount.toDecimalPlaces(amountDecimals, inwards);
  const unit = new Decimal(10).pow(-amountDecimals).times(isBuy ? -1 : 1);
  const value = valueFor(input, quoteAmount);
  const found = walkAmount(offers.levels, spread.valueFor(value));
  // A value beyond everything on offer is an error, and does not yield a smaller quote.
  if (!found.isFinite()) return found;
  const fits = (amount: Decimal) => {
    const priced = priceOf(input, amount);
    return isBuy ? priced.value.lessThanOrEqualTo(value) : priced.value.greaterThanOrEqualTo(value);
  };
  const isOffered = (amount: Decimal) => amount.greaterThan(0) && amount.lessThanOrEqualTo(offers.depth);
  let [missing, fitting] = [inUnits(found), inUnits(found)];
  while (isOffered(fitting) && !fits(fitting)) {
    const { price } = priceOf(input, fitting);
    if (price.isZero()) return new Decimal(0);
    const [next, byPrice] = [fitting.plus(unit), inUnits(value.dividedBy(price))];
    missing = fitting;
    fitting = isBuy ? Decimal.min(next, byPrice) : Decimal.max(next, byPrice);
  }
  if (!isOffered(fitting)) return fitting;
  while (missing.minus(fitting).abs().greaterThan(unit.abs())) {
    const middle = inUnits(missing.plus(fitting).dividedBy(2));
    if (fits(middle)) fitting = middle;
    else missing = middle;
  }
  return fitting;
}

/** Returns the value, without the fee, with which a BUY pays at most and a SELL yields at least an amount in all. */
function valueFor({ side, feePercent, quoteDecimals }: PriceInput, quoteAmount: Decimal): Decimal {
  const isBuy = side === 'BUY';
  const factor = feePercent.dividedBy(isBuy ? 100 : -100).plus(1);
  const cent = new Decimal(10).pow(-quoteDecimals).times(isBuy ? 1 : -1);
  const does = (value: Decimal) => {
    const total = totalOf(side, value, feeOf(value, feePercent, quoteDecimals));
    return isBuy ? total.lessThanOrEqualTo(quoteAmount) : total.greaterThanOrEqualTo(quoteAmount);
  };
  let value = quoteAmount
    .dividedBy(factor)
    .toDecimalPlaces(quoteDecimals, isBuy ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
  // The fee is rounded down, which may leave room for a cent of it: more than one of the value where the fee is taken from it.
  while (does(value.plus(cent))) value = value.plus(cent);
  return value;
}

function feeOf(value: Decimal, feePercent: Decimal, quoteDecimals: number): Decimal {
  return value.times(feePercent).dividedBy(100).toDecimalPlaces(quoteDecimals, Decimal.ROUND_DOWN);
}

interface Priced {
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
