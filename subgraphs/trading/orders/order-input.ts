import type { OrderRow } from './order.store.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import type { MarketRow } from '../markets/market.store.js';
import type { WalletArgs } from '../profiles/require-wallet.js';
import type { CreateOrderArgs } from './order.type.js';
import { budgetOf, type FeeTerms, type OrderTimeInForce } from './order.js';

/** An order as a caller sends it. Amounts are decimal text. */
export type OrderInput = Readonly<Omit<CreateOrderArgs, keyof WalletArgs | 'expiresAt'>> & {
  readonly expiresAt?: Date | null;
};

export interface RequestedOrder extends Pick<
  OrderRow,
  'symbol' | 'side' | 'type' | 'clientOrderId' | 'timeInForce' | 'postOnly' | 'expiresAt'
> {
  readonly size: { readonly amount: Decimal } | QuoteSize;
  readonly price: Decimal | undefined;
}

/** The total that a BUY spends, and its part that pays for the base currency: the rest is for the fee. In the quote currency. */
interface QuoteSize {
  readonly quoteAmount: Decimal;
  readonly budget: Decimal;
}

const clientOrderIdForm = /^[A-Za-z0-9_-]{1,64}$/;
/** Maximum number of integer digits of an amount or a price. */
const maxDigits = 18;
const maxWaitDays = 366;

/** Excess precision is rejected, never rounded. @throws {ApiError} BAD_REQUEST for form, UNPROCESSABLE for values that make no sense, each with all errors; BELOW_MINIMUM */
export function readOrder(
  input: OrderInput,
  market: MarketRow,
  { fee, now }: { readonly fee: FeeTerms; readonly now: Date },
): RequestedOrder {
  const issues = newIssues();
  const { fail } = issues;
  const amount = readDecimal('amount', input.amount, market.amountDecimals, issues);
  const quoteAmount = readDecimal('quoteAmount', input.quoteAmount, fee.decimals, issues);
  const price = readDecimal('price', input.price, market.priceDecimals, issues);
  const given = { amount: input.amount != null, quoteAmount: input.quoteAmount != null, price: input.price != null };
  if (given.amount === given.quoteAmount) fail(errorAt('amount', given.amount ? 'ONE_SIZE_ONLY' : 'ONE_SIZE'));
  if (input.side === 'SELL' && given.quoteAmount) fail(errorAt('quoteAmount', 'SELL_BY_AMOUNT'));
  if (input.type === 'LIMIT' && !given.price) fail(errorAt('price', 'LIMIT_PRICE'));
  if (input.type === 'MARKET' && given.price) fail(errorAt('price', 'MARKET_PRICE'));
  const timeInForce = input.timeInForce ?? (input.type === 'MARKET' ? 'IOC' : 'GTC');
  readTime(input, timeInForce, now, issues);
  const clientOrderId = input.clientOrderId == null ? null : identifyingText(input.clientOrderId);
  if (clientOrderId !== null && !clientOrderIdForm.test(clientOrderId))
    fail(errorAt('clientOrderId', 'CLIENT_ORDER_ID_FORM', { min: 1, max: 64 }));
  issues.refuse();
  const size = amount === undefined ? quoteAmount && { quoteAmount, budget: budgetOf(quoteAmount, fee) } : { amount };
  if (size === undefined) throw new ApiError('BAD_REQUEST');
  const ordered = 'amount' in size ? size.amount : price && size.budget.dividedBy(price);
  // A quote amount of a MARKET order is compared by the router, once the price is known.
  if (ordered !== undefined) requireMinimum(ordered, market);
  return {
    symbol: market.symbol,
    side: input.side,
    type: input.type,
    size,
    price,
    clientOrderId,
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
    fail(errorAt('timeInForce', 'MARKET_ORDER_TIME'));
  if (postOnly === true && (type === 'MARKET' || timeInForce === 'IOC' || timeInForce === 'FOK'))
    fail(errorAt('postOnly', 'POST_ONLY_TIME'));
  if ((timeInForce === 'GTD') !== (expiresAt != null))
    fail(errorAt('expiresAt', timeInForce === 'GTD' ? 'GTD_EXPIRY' : 'EXPIRY_GTD'));
  else if (expiresAt != null && expiresAt <= now) failContent(errorAt('expiresAt', 'IN_FUTURE'));
  else if (expiresAt != null && expiresAt.getTime() > now.getTime() + maxWaitDays * 86_400_000)
    fail(errorAt('expiresAt', 'WITHIN_NEXT_DAYS', { days: maxWaitDays }));
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
  if (whole === '') fail(errorAt(path, 'AMOUNT_FORM'));
  else if (whole.length > maxDigits) fail(errorAt(path, 'WHOLE_DIGITS', { max: maxDigits }));
  else if (fraction.length > decimals) fail(errorAt(path, 'DECIMALS', { max: decimals }));
  else if (sign === '-' || /^[0.]+$/.test(text)) failContent(errorAt(path, 'AMOUNT_POSITIVE'));
  else return new Decimal(text);
  return undefined;
}

/** @throws {ApiError} BELOW_MINIMUM */
export function requireMinimum(amount: Decimal, { minOrderSize, base }: MarketRow): void {
  if (amount.lessThan(minOrderSize))
    throw new ApiError('BELOW_MINIMUM', byRule('MARKET_MINIMUM', { min: minOrderSize, currency: base }));
}

type Fail = (error: ErrorDetail) => void;

interface InputIssues {
  /** Records an error of form: a value is missing or malformed. */
  readonly fail: Fail;
  /** Records an error of content: a value is well formed but makes no sense. */
  readonly failContent: Fail;
  /** @throws {ApiError} BAD_REQUEST with all errors of form; if there are none, UNPROCESSABLE with the errors of content */
  readonly refuse: () => void;
}

export function newIssues(): InputIssues {
  const form: ErrorDetail[] = [];
  const content: ErrorDetail[] = [];
  return {
    fail: (error) => form.push(error),
    failContent: (error) => content.push(error),
    refuse: () => {
      refuse('BAD_REQUEST', form);
      refuse('UNPROCESSABLE', content);
    },
  };
}
