import type { Context } from '../../../shared/context.js';
import { alone, groupCommit } from '../../../shared/database/group-commit.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { againLater } from '../again-later.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { Desk } from '../orders/desk.js';
import { requireWithinLimits } from '../orders/order-limits.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import { priceNow } from './price-now.js';
import { readSize, type QuoteInput } from './quote-input.js';
import { excessesOf } from './quote.js';
import { insertQuotes, lockExposures, readQuoteTerms, type NewQuote, type QuoteRow } from './quote.store.js';

export interface QuoteParts {
  readonly desk: Desk;
  readonly catalogue: Catalogue;
}

/**
 * Quotes a price at which the house trades with a client, whatever the market does until the quote expires. It sets no funds aside.
 * @throws {ApiError} BAD_REQUEST; NOT_FOUND for an unknown profile; FORBIDDEN for a suspended one; MARKET_NOT_AVAILABLE,
 * BELOW_MINIMUM; UNPROCESSABLE for more than the books offer, and beyond a limit
 */
export async function createQuote(
  context: Context,
  { desk, catalogue }: QuoteParts,
  choice: WalletChoice,
  input: QuoteInput,
): Promise<QuoteRow> {
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const market = await catalogue.requireActive(context, input.symbol, wallet.synthetic);
  const size = readSize(input, market, desk.decimals(market.quote));
  const terms = await readQuoteTerms(context, wallet.companyId);
  const world = { market, synthetic: wallet.synthetic };
  const priced = await priceNow(context, desk, world, { side: input.side, size }, terms);
  const { amount, price, value, fee, bookValue, spreadPercent } = priced.price;
  const row = {
    id: newId(context.clock.now().getTime()),
    companyId: wallet.companyId,
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    symbol: market.symbol,
    base: market.base,
    quote: market.quote,
    side: input.side,
    amount: amount.toFixed(),
    price: price.toFixed(),
    value: value.toFixed(),
    fee: fee.toFixed(),
    makerFee: terms.makerFee,
    takerFee: terms.takerFee,
    bookValue: bookValue.toFixed(),
    spread: spreadPercent.toFixed(),
    valueBrl: value.times(priced.brlRate).toDecimalPlaces(2, Decimal.ROUND_UP).toFixed(),
    baseDecimals: desk.decimals(market.base),
    quoteDecimals: desk.decimals(market.quote),
    priceDecimals: market.priceDecimals,
  };
  await requireWithinLimits(context, desk, ofTrades(wallet.terms), row, value);
  return add(context, { row, decision: priced.decision, maxQuotedValue: terms.maxQuotedValue });
}

/** Returns the limits that also apply to quotes: an executed quote is never an open order. */
export function ofTrades<Limits extends object>(terms: Limits) {
  return { ...terms, maxOpenOrders: null, profileMaxOpenOrders: null };
}

interface Adding {
  readonly row: NewQuote;
  /** The components of its price. */
  readonly decision: unknown;
  readonly maxQuotedValue: string;
}

/** Inserts a quote if the company's limits allow it. Concurrent calls share a transaction. */
const add = groupCommit<Adding, QuoteRow>({
  work: async (tx, members) => {
    const adding = members.map(({ item }) => item);
    const exposures = await lockExposures(
      tx,
      adding.map(({ row }) => row),
    );
    const excesses = excessesOf(adding, exposures);
    const [excess] = excesses;
    if (excess !== undefined && adding.length === 1)
      throw new ApiError('UNPROCESSABLE', {
        message: `The quote exceeds an agreed limit: ${excess}. ${againLater}`,
      });
    const times = await insertQuotes(
      tx,
      adding.filter((_, index) => excesses[index] === undefined),
    );
    return adding.map(({ row }) => {
      const own = times.get(row.id);
      return own === undefined ? alone : { ...row, ...own, state: 'OPEN', orderId: null };
    });
  },
  lockOf: ({ row }) => row.companyId,
});
