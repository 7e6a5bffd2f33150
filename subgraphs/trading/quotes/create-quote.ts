import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { Fault } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import type { Catalogue } from '../markets/catalogue.js';
import type { MarketRow } from '../markets/market.store.js';
import type { Desk } from '../orders/desk.js';
import { inBrl, lockLimits, requireWithinLimits } from '../orders/order-limits.js';
import type { Cost, Decision } from '../orders/plan-order.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import { maxLevels } from '../routing/routing.js';
import { offersOf, type OfferedBook, type Offers } from './offers.js';
import { priceQuote, type QuotePrice } from './price-quote.js';
import { readSize, requireMinimum, type QuoteInput } from './quote-input.js';
import { exceeds } from './quote.js';
import { insertQuote, lockExposure, readQuoteTerms, type QuoteRow, type QuoteTerms } from './quote.store.js';
import { houseTiers, spreadOf } from './spread.js';

export interface QuoteParts {
  readonly desk: Desk;
  readonly catalogue: Catalogue;
}

/**
 * Quotes a price at which the house trades with a client, whatever the market does until the quote expires. It sets nothing aside.
 * @throws {Fault} BAD_REQUEST; NOT_FOUND for a profile that is none; FORBIDDEN for a suspended one; MARKET_NOT_AVAILABLE,
 *   BELOW_MINIMUM; UNPROCESSABLE for more than the books hold, and beyond a limit
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
  const priced = price(desk, world, { side: input.side, size }, terms);
  const { amount, quoteAmount, fee, bookValue, spreadPercent } = priced.price;
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
    quoteAmount: quoteAmount.toFixed(),
    fee: fee.toFixed(),
    makerFee: terms.makerFee,
    takerFee: terms.takerFee,
    bookValue: bookValue.toFixed(),
    spread: spreadPercent.toFixed(),
    valueBrl: quoteAmount.times(priced.brlRate).toDecimalPlaces(2, Decimal.ROUND_UP).toFixed(),
  };
  return inTransaction(context, async (tx) => {
    await lockLimits(tx, [wallet]);
    await requireWithinLimits(tx, desk, ofTrades(wallet.terms), row, quoteAmount);
    const excess = exceeds(await lockExposure(tx, row), new Decimal(row.valueBrl), terms.maxQuotedValue);
    if (excess !== undefined)
      throw new Fault('UNPROCESSABLE', {
        message: `The quote is beyond what was agreed: ${excess}. Try again later`,
      });
    const times = await insertQuote(tx, row, priced.decision);
    return { ...row, ...times, state: 'OPEN', orderId: null };
  });
}

/** The limits that hold for quotes, too: an executed one is never an open order. */
export function ofTrades<Limits extends object>(terms: Limits) {
  return { ...terms, maxOpenOrders: null, profileMaxOpenOrders: null };
}

interface Priced {
  readonly price: QuotePrice;
  /** BRL for one of the quote currency. */
  readonly brlRate: Decimal;
  /** What the price was made of. */
  readonly decision: Decision;
}

/**
 * Makes a price of the books of this moment.
 * @throws {Fault} MARKET_NOT_AVAILABLE, BELOW_MINIMUM, UNPROCESSABLE
 */
function price(
  desk: Desk,
  { market, synthetic }: { readonly market: MarketRow; readonly synthetic: boolean },
  { side, size }: Pick<Parameters<typeof priceQuote>[0], 'side' | 'size'>,
  { tiers, takerFee }: QuoteTerms,
): Priced {
  const venues = new Map(desk.markets.venues(synthetic).map((venue) => [venue.name, venue]));
  const books = desk.markets.books(synthetic, market.symbol).flatMap((book): OfferedBook[] => {
    const fees = venues.get(book.venue)?.fees(market.symbol);
    return fees === undefined ? [] : [{ ...book, fees }];
  });
  const offers = offersOf(side, books, new Decimal(market.collarPercent));
  const brlRate = inBrl(desk, new Decimal(1), market.quote, synthetic);
  if (offers === undefined || brlRate === undefined)
    throw new Fault('MARKET_NOT_AVAILABLE', { message: 'The market has no price at the moment. Try again later' });
  const spread = spreadOf(side, tiers.length === 0 ? houseTiers : tiers, brlRate);
  const quoted = priceQuote({
    side,
    size,
    offers,
    spread,
    feePercent: new Decimal(takerFee),
    amountDecimals: market.amountDecimals,
    quoteDecimals: desk.decimals(market.quote),
  });
  if (quoted === 'TOO_LITTLE') throw new Fault('BELOW_MINIMUM');
  if (quoted === 'TOO_MUCH') {
    const most = offers.depth.toDecimalPlaces(market.amountDecimals, Decimal.ROUND_DOWN).toFixed();
    throw new Fault('UNPROCESSABLE', {
      message: `More than the market holds: at most ${most} ${market.base} can be quoted now`,
    });
  }
  requireMinimum(quoted.amount, market);
  return { price: quoted, brlRate, decision: decisionOf(offers, books, quoted, side === 'BUY') };
}

/** What was seen, in the form in which it is kept with an order. Nothing is sent to a venue for it. */
function decisionOf(
  { mid, bound }: Offers,
  books: readonly OfferedBook[],
  quoted: QuotePrice,
  isBuy: boolean,
): Decision {
  const { amount, quoteAmount, fee, bookValue } = quoted;
  const slippage = bookValue
    .dividedBy(amount)
    .dividedBy(mid)
    .minus(1)
    .times(isBuy ? 100 : -100);
  const expected: Cost = {
    amount: amount.toFixed(),
    notional: quoteAmount.toFixed(),
    fees: fee.toFixed(),
    total: (isBuy ? quoteAmount.plus(fee) : quoteAmount.minus(fee)).toFixed(),
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
