import { ApiError } from '../../../shared/errors.js';
import { errorAt } from '../../../shared/rule-error.js';
import type { MarketRow } from '../markets/market.store.js';
import { newIssues } from '../orders/input-issues.js';
import { readDecimal, requireMinimum } from '../orders/order-input.js';
import type { WalletArgs } from '../profiles/wallet-args.js';
import type { QuoteSize } from './price-quote.js';
import type { CreateQuoteArgs } from './quote-args.type.js';

/** A quote as a caller requests it. Amounts are decimal text. */
export type QuoteInput = Readonly<Omit<CreateQuoteArgs, keyof WalletArgs>>;

/**
 * Parses the size of a quote. Excess precision is rejected, never rounded.
 * @param quoteDecimals of the quote currency
 * @throws {ApiError} BAD_REQUEST with all errors of form; UNPROCESSABLE for an amount that is not above 0; BELOW_MINIMUM for one
 * below the market's minimum
 */
export function readSize(input: QuoteInput, market: MarketRow, quoteDecimals: number): QuoteSize {
  const issues = newIssues();
  const amount = readDecimal('amount', input.amount, market.amountDecimals, issues);
  const quoteAmount = readDecimal('quoteAmount', input.quoteAmount, quoteDecimals, issues);
  if ((input.amount != null) === (input.quoteAmount != null))
    issues.fail(errorAt('amount', input.amount == null ? 'ONE_SIZE' : 'ONE_SIZE_ONLY'));
  issues.refuse();
  if (amount !== undefined) {
    requireMinimum(amount, market);
    return { amount };
  }
  if (quoteAmount === undefined) throw new ApiError('BAD_REQUEST');
  return { quoteAmount };
}
