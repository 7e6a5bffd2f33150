import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { Fault } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { postJournal, type Journal } from '../ledger/post-journals.js';
import { announceOrders } from '../orders/announce-order.js';
import { lockLimits, requireWithinLimits } from '../orders/order-limits.js';
import { insertOrders, type OrderRow } from '../orders/order.store.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import { ofTrades, type QuoteParts } from './create-quote.js';
import { insertHedge } from './hedge.store.js';
import { totalOf } from './quote.js';
import { claimQuote, type ClaimedQuote, type QuoteRow } from './quote.store.js';
import { requireQuote } from './read-quote.js';

/**
 * Executes a quote: the house trades with the client at the price that was quoted, at once and whole. A quote is good once, until it
 * expires by the database's clock; one whose execution is refused can be tried again.
 * @throws {Fault} NOT_FOUND for a profile that is none, and a quote that is none of the wallet; FORBIDDEN for a suspended profile;
 *   QUOTE_EXECUTED, QUOTE_EXPIRED; MARKET_NOT_AVAILABLE while the market is halted; INSUFFICIENT_BALANCE; UNPROCESSABLE beyond a limit
 */
export async function executeQuote(
  context: Context,
  { desk, catalogue }: QuoteParts,
  choice: WalletChoice,
  quoteId: string,
): Promise<OrderRow> {
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const { symbol } = requireOpen(await requireQuote(context, wallet, quoteId));
  await catalogue.requireActive(context, symbol, wallet.synthetic);
  return inTransaction(context, async (tx) => {
    const quote = await claim(tx, wallet, quoteId);
    const order = orderOf(quote);
    await lockLimits(tx, [wallet]);
    await requireWithinLimits(tx, desk, ofTrades(wallet.terms), order, new Decimal(quote.quoteAmount));
    await insertOrders(tx, [{ order, executions: [], decision: quote.decision, quoteId: quote.id }]);
    await insertHedge(tx, quote.id, quote.synthetic);
    const placed = { ...order, status: 'PENDING', filledAmount: '0' } as const;
    await postJournal(tx, journalOf(quote, order.id));
    const after = { ...order, ownerId: quote.ownerId, quoteDecimals: desk.decimals(quote.quote) };
    await announceOrders(tx, [{ before: placed, after, currencies: [quote.base, quote.quote] }]);
    return order;
  });
}

/** @throws {Fault} QUOTE_EXECUTED, QUOTE_EXPIRED */
function requireOpen(quote: QuoteRow): QuoteRow {
  if (quote.state === 'OPEN') return quote;
  throw new Fault(quote.state === 'EXECUTED' ? 'QUOTE_EXECUTED' : 'QUOTE_EXPIRED');
}

/**
 * Takes the quote for this transaction: of several at once, one gets it.
 * @throws {Fault} QUOTE_EXECUTED, QUOTE_EXPIRED
 */
async function claim(tx: Context, wallet: OwnWallet, quoteId: string): Promise<ClaimedQuote> {
  const claimed = await claimQuote(tx, wallet, quoteId);
  if (claimed !== undefined) return claimed;
  requireOpen(await requireQuote(tx, wallet, quoteId));
  throw new Error(`The quote ${quoteId} is open and could not be taken`);
}

/** The order of a quote: filled whole, at once, by the house. */
function orderOf(quote: ClaimedQuote): OrderRow {
  const { companyId, walletId, synthetic, symbol, base, side, amount, quoteAmount, fee, makerFee, takerFee } = quote;
  const at = quote.executedAt;
  return {
    id: newId(at.getTime()),
    companyId,
    walletId,
    synthetic,
    clientOrderId: null,
    symbol,
    base,
    quote: quote.quote,
    side,
    type: 'MARKET',
    timeInForce: 'FOK',
    postOnly: false,
    amount,
    quoteAmount: null,
    price: null,
    expiresAt: null,
    status: 'FILLED',
    reason: null,
    holdId: null,
    makerFee,
    takerFee,
    filledAmount: amount,
    filledValue: quoteAmount,
    exactValue: quoteAmount,
    fee,
    exactFee: fee,
    cancelRequestedAt: null,
    quarantinedAt: null,
    createdAt: at,
    filledAt: at,
    closedAt: at,
  };
}

/** What the client and the house exchange; the house's side is its own position until it is hedged. */
function journalOf(
  { id, walletId, synthetic, base, quote, side, amount, quoteAmount, fee }: ClaimedQuote,
  orderId: string,
): Journal {
  const sign = side === 'BUY' ? 1 : -1;
  const client = (currency: string) => ({ kind: 'AVAILABLE', walletId, currency }) as const;
  return {
    key: `quote:${id}`,
    cause: 'quote.execution',
    causeId: orderId,
    synthetic,
    postings: [
      { account: client(quote), amount: totalOf(side, quoteAmount, fee).times(-sign) },
      { account: client(base), amount: new Decimal(amount).times(sign) },
      { account: { kind: 'PRINCIPAL', currency: quote }, amount: new Decimal(quoteAmount).times(sign) },
      { account: { kind: 'PRINCIPAL', currency: base }, amount: new Decimal(amount).times(-sign) },
      { account: { kind: 'FEES', currency: quote }, amount: fee },
    ],
  };
}
