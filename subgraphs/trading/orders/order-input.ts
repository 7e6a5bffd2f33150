import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import type { MarketRow } from '../markets/market.store.js';
import type { OrderType, Side } from '../venues/venue.js';
import type { WalletArgs } from '../profiles/wallet-args.js';
import { newIssues, type InputIssues } from './input-issues.js';
import type { CreateOrderArgs } from './order-args.type.js';
import type { OrderTimeInForce } from './order.js';

/** An order as a caller sends it. Amounts are decimal text. */
export type OrderInput = Readonly<Omit<CreateOrderArgs, keyof WalletArgs | 'expiresAt'>> & {
  readonly expiresAt?: Date | null;
};

/** A well-formed order. */
export interface RequestedOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly size: { readonly amount: Decimal } | { readonly quoteAmount: Decimal };
  readonly price: Decimal | undefined;
  readonly clientOrderId: string | null;
  readonly timeInForce: OrderTimeInForce;
  readonly postOnly: boolean;
  readonly expiresAt: Date | null;
}

const clientOrderIdForm = /^[A-Za-z0-9_-]{1,64}$/;
/** Maximum number of integer digits of an amount or a price. */
const maxDigits = 18;
/** Maximum time that an order may stay open. */
const maxWaitMs = 366 * 86_400_000;

/**
 * Parses an order. Excess precision is rejected, never rounded.
 * @param quoteDecimals of the quote currency
 * @throws {ApiError} BAD_REQUEST with all errors of form; UNPROCESSABLE with all values that make no sense, such as an
 * amount of 0; BELOW_MINIMUM for less than the market's minimum
 */
export function readOrder(
  input: OrderInput,
  market: MarketRow,
  { quoteDecimals, now }: { readonly quoteDecimals: number; readonly now: Date },
): RequestedOrder {
  const issues = newIssues();
  const { fail } = issues;
  const amount = readDecimal('amount', input.amount, market.amountDecimals, issues);
  const quoteAmount = readDecimal('quoteAmount', input.quoteAmount, quoteDecimals, issues);
  const price = readDecimal('price', input.price, market.priceDecimals, issues);
  const given = { amount: input.amount != null, quoteAmount: input.quoteAmount != null, price: input.price != null };
  if (given.amount === given.quoteAmount) fail('amount', 'must have either amount or quoteAmount, not both');
  if (input.side === 'SELL' && given.quoteAmount) fail('quoteAmount', 'requires amount for a SELL');
  if (input.type === 'LIMIT' && !given.price) fail('price', 'is required for a LIMIT order');
  if (input.type === 'MARKET' && given.price) fail('price', 'must not be given for a MARKET order');
  const timeInForce = input.timeInForce ?? (input.type === 'MARKET' ? 'IOC' : 'GTC');
  readTime(input, timeInForce, now, issues);
  if (input.clientOrderId != null && !clientOrderIdForm.test(input.clientOrderId))
    fail('clientOrderId', 'must have 1 to 64 letters, digits, - and _');
  issues.refuse();
  const size = amount === undefined ? quoteAmount && { quoteAmount } : { amount };
  if (size === undefined) throw new ApiError('BAD_REQUEST');
  const ordered = 'amount' in size ? size.amount : price && size.quoteAmount.dividedBy(price);
  // A quote amount of a MARKET order is compared by the router, once the price is known.
  if (ordered !== undefined) requireMinimum(ordered, market);
  return {
    symbol: market.symbol,
    side: input.side,
    type: input.type,
    size,
    price,
    clientOrderId: input.clientOrderId ?? null,
    timeInForce,
    postOnly: input.postOnly === true,
    expiresAt: timeInForce === 'GTD' ? (input.expiresAt ?? null) : null,
  };
}

function readTime(
  input: OrderInput,
  timeInForce: OrderTimeInForce,
  now: Date,
  { fail, failContent }: Pick<InputIssues, 'fail' | 'failContent'>,
): void {
  const { type, postOnly, expiresAt } = input;
  if (type === 'MARKET' && (timeInForce === 'GTC' || timeInForce === 'GTD'))
    fail('timeInForce', 'must be IOC or FOK for a MARKET order');
  if (postOnly === true && (type === 'MARKET' || timeInForce === 'IOC' || timeInForce === 'FOK'))
    fail('postOnly', 'is only allowed for LIMIT orders with GTC or GTD');
  if ((timeInForce === 'GTD') !== (expiresAt != null))
    fail('expiresAt', timeInForce === 'GTD' ? 'is required with GTD' : 'is only allowed with GTD');
  else if (expiresAt != null && expiresAt <= now) failContent('expiresAt', 'must be in the future');
  else if (expiresAt != null && expiresAt.getTime() > now.getTime() + maxWaitMs)
    fail('expiresAt', 'must be within 366 days');
}

/** Returns a decimal above 0; undefined if it is missing or wrong. */
export function readDecimal(
  path: string,
  text: string | null | undefined,
  decimals: number,
  { fail, failContent }: Pick<InputIssues, 'fail' | 'failContent'>,
): Decimal | undefined {
  if (text == null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') fail(path, 'must be a decimal number greater than 0, such as "0.015"');
  else if (whole.length > maxDigits) fail(path, `must have at most ${maxDigits} digits before the decimal point`);
  else if (fraction.length > decimals) fail(path, `must have at most ${decimals} decimals`);
  else if (sign === '-' || /^[0.]+$/.test(text)) failContent(path, 'must be greater than 0');
  else return new Decimal(text);
  return undefined;
}

/** @throws {ApiError} BELOW_MINIMUM */
export function requireMinimum(amount: Decimal, { minOrderSize, base }: MarketRow): void {
  if (amount.lessThan(minOrderSize))
    throw new ApiError('BELOW_MINIMUM', {
      message: `The minimum amount of the market (minOrderSize of fetchMarkets) is ${minOrderSize} ${base}`,
    });
}
