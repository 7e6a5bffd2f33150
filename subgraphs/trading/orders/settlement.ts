import { Decimal, round } from '../../../shared/kernel/decimal.js';
import type { Account, Posting } from '../ledger/post-journals.js';
import type { Fill, Side } from '../venues/venue.js';

export interface Executed {
  /** In the base currency. */
  readonly amount: Decimal;
  /** Price × amount: exact, and as the client paid or received it. */
  readonly exactValue: Decimal;
  readonly value: Decimal;
  /** The fee: exact, and as the client was charged. */
  readonly exactFee: Decimal;
  readonly fee: Decimal;
}

export interface SettledOrder {
  readonly side: Side;
  readonly walletId: string;
  readonly base: string;
  readonly quote: string;
  /** In percent of the value. */
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
  readonly quoteDecimals: number;
}

export interface Settled {
  readonly after: Executed;
  /** The client's payment, from the hold. */
  readonly spent: Decimal;
  /** Where the payment goes, and what the client receives for it. */
  readonly postings: readonly Posting[];
}

/**
 * Settles a fill. The client's value and fee are rounded as sums over the whole order (the value half up, the fee down), so that
 * rounding never adds up with the number of fills; the increase of these sums is posted. The fee of a SELL's fill is at most its
 * value: the rest is charged with a later fill. The venue's side is exact, and the difference is the house's ROUNDING.
 */
export function settleFill(order: SettledOrder, before: Executed, fill: Fill): Settled {
  const { side, walletId, base, quote, quoteDecimals } = order;
  const exact = fill.price.times(fill.amount);
  const rate = fill.liquidity === 'MAKER' ? order.makerFee : order.takerFee;
  const exactValue = before.exactValue.plus(exact);
  const exactFee = before.exactFee.plus(exact.times(rate).dividedBy(100));
  const value = round(exactValue, quoteDecimals);
  const added = value.minus(before.value);
  const due = exactFee.toDecimalPlaces(quoteDecimals, Decimal.ROUND_DOWN).minus(before.fee);
  const charged = side === 'SELL' ? Decimal.min(due, added) : due;
  const after = { amount: before.amount.plus(fill.amount), exactValue, value, exactFee, fee: before.fee.plus(charged) };

  const sign = side === 'BUY' ? 1 : -1;
  const client = (currency: string): Account => ({ kind: 'AVAILABLE', walletId, currency });
  const venue = (currency: string): Account => ({ kind: 'VENUE', venue: fill.venue, currency });
  const postings: Posting[] = [
    { account: venue(quote), amount: exact.times(sign) },
    { account: venue(base), amount: fill.amount.times(-sign) },
    { account: { kind: 'FEES', currency: quote }, amount: charged },
    { account: { kind: 'ROUNDING', currency: quote }, amount: added.minus(exact).times(sign) },
    side === 'BUY'
      ? { account: client(base), amount: fill.amount }
      : { account: client(quote), amount: added.minus(charged) },
    { account: venue(fill.feeCurrency), amount: fill.fee },
    { account: { kind: 'VENUE_FEES', currency: fill.feeCurrency }, amount: fill.fee.negated() },
  ];
  return {
    after,
    spent: side === 'BUY' ? added.plus(charged) : fill.amount,
    postings: postings.filter(({ amount }) => !new Decimal(amount).isZero()),
  };
}

/** Returns the postings between the house's own position and a venue for a fill that belongs to no client. */
export function housePostings(
  { side, base, quote }: Pick<SettledOrder, 'side' | 'base' | 'quote'>,
  fill: Fill,
): Posting[] {
  const value = fill.price.times(fill.amount);
  const sign = side === 'BUY' ? 1 : -1;
  const venue = (currency: string): Account => ({ kind: 'VENUE', venue: fill.venue, currency });
  return [
    { account: venue(quote), amount: value.times(sign) },
    { account: { kind: 'PRINCIPAL', currency: quote }, amount: value.times(-sign) },
    { account: venue(base), amount: fill.amount.times(-sign) },
    { account: { kind: 'PRINCIPAL', currency: base }, amount: fill.amount.times(sign) },
    { account: venue(fill.feeCurrency), amount: fill.fee },
    { account: { kind: 'VENUE_FEES', currency: fill.feeCurrency }, amount: fill.fee.negated() },
  ];
}
