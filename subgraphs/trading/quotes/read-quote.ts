import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import { findQuote, type QuoteRow } from './quote.store.js';

/**
 * Returns a quote of the wallet that a caller chooses.
 * @throws {ApiError} NOT_FOUND
 */
export async function readQuote(context: Context, choice: WalletChoice, quoteId: string): Promise<QuoteRow> {
  return requireQuote(context, await requireWallet(context, choice), quoteId);
}

/**
 * Returns a quote of a wallet.
 * @throws {ApiError} NOT_FOUND for a quote that does not exist or is another wallet's; the two cases look the same
 */
export async function requireQuote(context: Context, wallet: OwnWallet, quoteId: string): Promise<QuoteRow> {
  const quote = isUuid(quoteId) ? await findQuote(context, wallet, quoteId) : undefined;
  if (quote === undefined) throw new ApiError('NOT_FOUND', { message: 'The wallet has no such quote' });
  return quote;
}
