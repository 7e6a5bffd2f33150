import { Decimal } from '../../../shared/decimal.js';
import type { Side } from '../venues/venue.js';
import { walkAmount, walkValue, type Offers } from './offers.js';
import type { Spread } from './spread.js';

/** The quoted size: an amount of the base currency, or its value in the quote currency without the fee. */
export type QuoteSize = { readonly amount: Decimal } | { readonly quoteAmount: Decimal };

export interface PriceInput {
  readonly side: Side;
  readonly size: QuoteSize;
  readonly offers: Pick<Offers, 'levels' | 'depth'>;
  readonly spread: Spread;
  /** In percent of the value. */
  readonly feePercent: Decimal;
  /** Decimals of an amount in the market, and of the quote currency. */
  readonly amountDecimals: number;
  readonly quoteDecimals: number;
}

/** The result of a quote. */
export interface QuotePrice {
  /** In the base currency. */
  readonly amount: Decimal;
  /** What the client pays or receives, in the quote currency without the fee. */
  readonly quoteAmount: Decimal;
  readonly fee: Decimal;
  /** The value by the books, with the venues' fees: exact. */
  readonly bookValue: Decimal;
  /** How much worse `quoteAmount` is than `bookValue`, in percent, rounded half up to 4 decimals. */
  readonly spreadPercent: Decimal;
}

/**
 * Prices a quote from the books. With any books, a larger BUY never costs less, and a larger SELL never yields less.
 *
 * Rounding: `quoteAmount` up for a BUY and down for a SELL, to the decimals of the quote currency; the fee down, as for orders. For a
 * requested `quoteAmount`, the amount is the largest that a BUY can pay with it, and the smallest that yields at least as much in a SELL.
 * @returns `TOO_MUCH` where the books do not offer as much, `TOO_LITTLE` for a size that rounds to zero
 */
export function priceQuote(input: PriceInput): QuotePrice | 'TOO_MUCH' | 'TOO_LITTLE' {
  const { side, size, offers, spread, feePercent, quoteDecimals } = input;
  const amount = 'amount' in size ? size.amount : amountFor(input, size.quoteAmount);
  if (amount.greaterThan(offers.depth)) return 'TOO_MUCH';
  if (amount.lessThanOrEqualTo(0)) return 'TOO_LITTLE';
  const bookValue = walkValue(offers.levels, amount);
  const towards = side === 'BUY' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN;
  const quoteAmount = spread.price(bookValue).toDecimalPlaces(quoteDecimals, towards);
  if (quoteAmount.isZero()) return 'TOO_LITTLE';
  const fee = quoteAmount.times(feePercent).dividedBy(100).toDecimalPlaces(quoteDecimals, Decimal.ROUND_DOWN);
  const spreadPercent = quoteAmount.minus(bookValue).abs().dividedBy(bookValue).times(100);
  return {
    amount,
    quoteAmount,
    fee,
    bookValue,
    spreadPercent: spreadPercent.toDecimalPlaces(4, Decimal.ROUND_HALF_UP),
  };
}

/** Returns the amount whose value is nearest to the requested one: not above it for a BUY, not below it for a SELL. */
function amountFor({ side, offers, spread, amountDecimals }: PriceInput, quoteAmount: Decimal): Decimal {
  const { levels, depth } = offers;
  const found = walkAmount(levels, spread.valueFor(quoteAmount));
  // A value beyond everything on offer is an error, and does not yield a smaller quote.
  if (!found.isFinite()) return found;
  const unit = new Decimal(10).pow(-amountDecimals);
  const worth = (amount: Decimal) => spread.price(walkValue(levels, amount));
  const rounded = found.toDecimalPlaces(amountDecimals, side === 'BUY' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
  // The divisions may have been rounded across a unit.
  if (side === 'BUY') {
    if (worth(rounded).greaterThan(quoteAmount)) return rounded.minus(unit);
    const more = rounded.plus(unit);
    return more.lessThanOrEqualTo(depth) && worth(more).lessThanOrEqualTo(quoteAmount) ? more : rounded;
  }
  if (rounded.lessThanOrEqualTo(depth) && worth(rounded).lessThan(quoteAmount)) return rounded.plus(unit);
  const less = rounded.minus(unit);
  return less.greaterThan(0) && worth(less).greaterThanOrEqualTo(quoteAmount) ? less : rounded;
}
