import type { Context } from '../../../shared/kernel/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, errorAt } from '../../../shared/kernel/errors.js';
import { newId, isUuid } from '../../../shared/kernel/ids.js';
import { type Catalogue, againLater } from '../markets/catalogue.js';
import type { Desk } from '../orders/desk.js';
import { requireWithinLimits, isLimited, lockLimits } from '../orders/order-limits.js';
import { requireActive, requireWallet, type WalletChoice, type WalletArgs } from '../profiles/require-wallet.js';
import { excessesOf, totalOf } from './quote.js';
import {
  insertQuotes,
  lockExposures,
  readQuoteTerms,
  type NewQuote,
  type QuoteRow,
  claimQuotes,
  findQuote,
} from './quote.store.js';
import { postBothWorlds, type Journal } from '../ledger/post-journals.js';
import { announceOrders } from '../orders/announce-order.js';
import { fittingOf, type Demand } from '../orders/plan-order.js';
import { insertOrders, type LockedOrder, type OrderRow } from '../orders/order.store.js';
import { wakeEngines } from '../orders/wake.js';
import type { OwnWallet } from '../profiles/profile.store.js';
import type { MarketRow } from '../markets/market.store.js';
import { newIssues, readDecimal, requireMinimum } from '../orders/order-input.js';
import { type QuoteSize, priceNow } from './price-quote.js';
import type { CreateQuoteArgs } from './quote.type.js';

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
function ofTrades<Limits extends object>(terms: Limits) {
  return { ...terms, maxOpenOrders: null, profileMaxOpenOrders: null };
}

interface Adding {
  readonly row: NewQuote;
  readonly decision: unknown;
  readonly maxQuotedValue: string;
}

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

/** @throws {ApiError} NOT_FOUND */
export async function readQuote(context: Context, choice: WalletChoice, quoteId: string): Promise<QuoteRow> {
  return requireQuote(context, await requireWallet(context, choice), quoteId);
}

/** @throws {ApiError} NOT_FOUND for a quote that does not exist or is another wallet's; the two cases look the same */
async function requireQuote(context: Context, wallet: OwnWallet, quoteId: string): Promise<QuoteRow> {
  const quote = isUuid(quoteId) ? await findQuote(context, wallet, quoteId) : undefined;
  if (quote === undefined) throw new ApiError('NOT_FOUND', { message: 'The wallet has no such quote' });
  return quote;
}

/**
 * Executes a quote: the house trades with the client at the quoted price, at once and in full. A quote can be executed once, until it
 * expires by the database's clock; after a rejection the execution can be tried again.
 * @throws {ApiError} NOT_FOUND for an unknown profile, and a quote that the wallet does not have; FORBIDDEN for a suspended profile;
 * QUOTE_EXECUTED, QUOTE_EXPIRED; MARKET_NOT_AVAILABLE while the market is halted; INSUFFICIENT_BALANCE; UNPROCESSABLE beyond a limit
 */
export async function executeQuote(
  context: Context,
  { desk, catalogue }: QuoteParts,
  choice: WalletChoice,
  quoteId: string,
): Promise<OrderRow> {
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const quote = requireOpen(await requireQuote(context, wallet, quoteId));
  await catalogue.requireActive(context, quote.symbol, wallet.synthetic);
  return execute(context, { desk, wallet, quote });
}

/** @throws {ApiError} QUOTE_EXECUTED, QUOTE_EXPIRED */
function requireOpen(quote: QuoteRow): QuoteRow {
  if (quote.state === 'OPEN') return quote;
  throw new ApiError(quote.state === 'EXECUTED' ? 'QUOTE_EXECUTED' : 'QUOTE_EXPIRED');
}

interface Executing {
  readonly desk: Desk;
  readonly wallet: OwnWallet;
  readonly quote: QuoteRow;
}

type Members = readonly Member<Executing>[];

const execute = groupCommit<Executing, OrderRow>({
  work: executeAll,
  // Limits are checked against what is already written: orders of a company with limits run one after another.
  lockOf: ({ wallet: { id, companyId, terms } }) => (isLimited(terms) ? companyId : id),
  isSingle: ({ wallet }) => isLimited(wallet.terms),
});

async function executeAll(tx: Context, members: Members): Promise<(OrderRow | typeof alone)[]> {
  await lockLimits(
    tx,
    members.map(({ item }) => item.wallet),
  );
  const fitting = await fittingOf(tx, distinctQuotes(members), demandOf);
  const claims = await claimQuotes(
    tx,
    fitting.map(({ item: { quote } }) => quote.id),
  );
  const [first] = members;
  if (first !== undefined && members.length === 1 && claims.size === 0) await refuseClosed(tx, first.item);
  const executed = fitting.flatMap((member) => {
    const { quote, wallet } = member.item;
    const claim = claims.get(quote.id);
    if (claim === undefined) return [];
    const { executedAt, ownerId } = claim;
    const order = orderOf(quote, executedAt);
    return [
      {
        member,
        quote,
        after: { ...order, ownerId, profileId: wallet.profileId },
      },
    ];
  });
  await insertOrders(
    tx,
    executed.map(({ quote, after: order }) => ({ order, executions: [], quoteId: quote.id })),
  );
  await postBothWorlds(
    tx,
    executed.map(({ quote }) => journalOf(quote)),
  );
  await announceOrders(
    tx,
    executed.map(({ quote, after }) => ({ before: placedOf(after), after, currencies: [quote.base, quote.quote] })),
  );
  // The house hedges the positions that the quotes leave with it.
  if (executed.length > 0) wakeEngines(tx);
  const orders = new Map(executed.map(({ member, after }) => [member, after]));
  return members.map((member) => orders.get(member) ?? alone);
}

/** Keeps the first of several executions of one quote; the others then find out its state themselves. */
function distinctQuotes(members: Members): Members {
  const wanted = new Map([...members].reverse().map((member) => [member.item.quote.id, member]));
  return [...wanted.values()];
}

function demandOf({ desk, wallet: { terms }, quote }: Executing): Demand {
  const value = new Decimal(quote.value);
  return { desk, terms: ofTrades(terms), order: quote, value, giving: givenFor(quote) };
}

function givenFor({ walletId, synthetic, side, base, quote, amount, value, fee }: QuoteRow) {
  const given = side === 'BUY' ? { currency: quote, amount: totalOf(side, value, fee) } : { currency: base, amount };
  return { walletId, synthetic, ...given };
}

/** @throws {ApiError} QUOTE_EXECUTED, QUOTE_EXPIRED */
async function refuseClosed(tx: Context, { wallet, quote }: Executing): Promise<never> {
  requireOpen(await requireQuote(tx, wallet, quote.id));
  throw new Error(`The quote ${quote.id} is open but could not be executed`);
}

/** Returns the order of a quote as its readers would have seen it before the fill. */
function placedOf(order: LockedOrder): OrderRow {
  return { ...order, status: 'PENDING', filledAmount: '0' };
}

function orderOf(quote: QuoteRow, at: Date): OrderRow {
  const { companyId, walletId, synthetic, symbol, base, side, amount, price, value, fee, makerFee, takerFee } = quote;
  const { baseDecimals, quoteDecimals, priceDecimals } = quote;
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
    worstPrice: null,
    status: 'FILLED',
    reason: null,
    holdId: null,
    makerFee,
    takerFee,
    filledAmount: amount,
    filledValue: value,
    exactValue: new Decimal(price).times(amount).toFixed(),
    fee,
    exactFee: fee,
    cancelRequestedAt: null,
    quarantinedAt: null,
    createdAt: at,
    filledAt: at,
    closedAt: at,
    baseDecimals,
    quoteDecimals,
    priceDecimals,
  };
}

/** Returns the journal between the client and the house; the house's side is its own position until it is hedged. */
function journalOf({ id, walletId, synthetic, base, quote, side, amount, value, fee }: QuoteRow): Journal {
  const sign = side === 'BUY' ? 1 : -1;
  const client = (currency: string) => ({ kind: 'AVAILABLE', walletId, currency }) as const;
  return {
    key: `quote:${id}`,
    cause: 'quote.execution',
    causeId: id,
    synthetic,
    postings: [
      { account: client(quote), amount: totalOf(side, value, fee).times(-sign) },
      { account: client(base), amount: new Decimal(amount).times(sign) },
      { account: { kind: 'PRINCIPAL', currency: quote }, amount: new Decimal(value).times(sign) },
      { account: { kind: 'PRINCIPAL', currency: base }, amount: new Decimal(amount).times(-sign) },
      { account: { kind: 'FEES', currency: quote }, amount: fee },
    ],
  };
}

/** A quote as a caller requests it. Amounts are decimal text. */
type QuoteInput = Readonly<Omit<CreateQuoteArgs, keyof WalletArgs>>;

/** Excess precision is rejected, never rounded. @throws {ApiError} BAD_REQUEST with all errors of form; UNPROCESSABLE for an amount not above 0; BELOW_MINIMUM */
function readSize(input: QuoteInput, market: MarketRow, quoteDecimals: number): QuoteSize {
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
