import type { Context } from '../../../shared/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { postBothWorlds, type Journal } from '../ledger/post-journals.js';
import { announceOrders } from '../orders/announce-order.js';
import type { Desk } from '../orders/desk.js';
import { fittingOf, type Demand } from '../orders/fitting.js';
import { isLimited, lockLimits } from '../orders/order-limits.js';
import { insertOrders, type LockedOrder, type OrderRow } from '../orders/order.store.js';
import { wakeEngines } from '../orders/wake.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import { ofTrades, type QuoteParts } from './create-quote.js';
import { totalOf } from './quote.js';
import { claimQuotes, type QuoteRow } from './quote.store.js';
import { requireQuote } from './read-quote.js';

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

/** Executes a quote if it is still open. Concurrent calls share a transaction. */
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
  // What they leave with the house is hedged.
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

/** Returns the client's payment. */
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

/** Returns the order of a quote: filled by the house at once and in full. */
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
