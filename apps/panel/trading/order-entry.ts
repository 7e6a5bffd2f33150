import { decimal, percent } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import type { Balances, Market } from './types.js';
import type { TickerData } from './live.js';
import { decimalsOf, exact, portionOf, product, sumOf } from './price.js';
import { tradingTexts } from '../texts.js';
import type { Wallet } from './wallet.js';

export const times = { LIMIT: ['GTC', 'IOC', 'FOK'], MARKET: ['IOC', 'FOK'], QUOTE: [] } as const;

/** Input of an order or a quote; numbers as the graph has them, null while they cannot be read. */
export interface Entry {
  readonly side: 'BUY' | 'SELL';
  readonly type: keyof typeof times;
  readonly unit: 'amount' | 'quoteAmount';
  readonly time: string;
  readonly isPostOnly: boolean;
  readonly price: string | null;
  readonly size: string | null;
  /** Counts what was filled in by the page and not typed: the fields begin anew with it. */
  readonly filled: number;
}

export type Wish = Operations['previewOrder']['variables'];

/** The time in force of an entry: the default of its type where the chosen one does not go with it. */
export function timeOf({ type, time }: Entry) {
  const choices: readonly string[] = times[type];
  return times.LIMIT.find((one) => one === time && choices.includes(one)) ?? (type === 'LIMIT' ? 'GTC' : 'IOC');
}

/** The field that holds the amount: only a BUY can be given in the quote currency. */
export const sizeOf = ({ side, unit }: Entry) => (side === 'SELL' ? 'amount' : unit);

export const canPostOnly = (entry: Entry) => entry.type === 'LIMIT' && timeOf(entry) === 'GTC';

export function wishOf(entry: Entry, type: Wish['type'], market: Market, wallet: Wallet): Wish {
  return {
    ...wallet,
    symbol: market.symbol,
    side: entry.side,
    type,
    [sizeOf(entry)]: entry.size,
    ...(type === 'LIMIT' ? { price: entry.price } : {}),
    timeInForce: timeOf(entry),
    postOnly: canPostOnly(entry) && entry.isPostOnly,
  };
}

/** Cost or proceeds of an order at its limit or the present price, with the highest fee; amounts with the decimals of the quote currency. */
export interface Estimate {
  readonly fee: string;
  readonly total: string;
  readonly available: string;
  /** Available balance of the spent currency after the order; negative if the balance is too small. */
  readonly after: string;
}

export const givenBy = ({ side }: Pick<Entry, 'side'>, { baseCurrency, quoteCurrency }: Market) =>
  side === 'BUY' ? quoteCurrency : baseCurrency;

export function availableFor(entry: Pick<Entry, 'side'>, market: Market, balances: Balances): string {
  return balances.find(({ currency }) => currency === givenBy(entry, market))?.available ?? '0';
}

/** The price at which an entry is estimated: its limit, or the best one now. */
export function priceOf({ side, type, price }: Entry, ticker: TickerData | undefined): string | null {
  return (type === 'LIMIT' ? price : side === 'BUY' ? ticker?.ask : ticker?.bid) ?? null;
}

export function estimateOf(
  entry: Entry,
  market: Market,
  ticker: TickerData | undefined,
  balances: Balances,
): Estimate | undefined {
  const { side, size } = entry;
  const price = priceOf(entry, ticker);
  if (size === null || price === null || size.startsWith('-') || price.startsWith('-')) return undefined;
  const quote = balances.find(({ currency }) => currency === market.quoteCurrency)?.available ?? '0.00';
  const cut = (value: string) => portionOf(value, '1', '1', decimalsOf(quote));
  const feePercent = market.takerFeePercent ?? '0';
  const isTotal = sizeOf(entry) === 'quoteAmount';
  const value = isTotal ? size : product(size, price);
  // A total includes its fee, which is therefore smaller.
  const fee = portionOf(value, feePercent, isTotal ? sumOf(['100', feePercent]) : '100', decimalsOf(quote));
  const total = isTotal ? cut(size) : cut(sumOf([value, side === 'BUY' ? fee : `-${fee}`]));
  const available = availableFor(entry, market, balances);
  const after = sumOf([available, `-${side === 'BUY' ? total : size}`]);
  return { fee, total, available, after };
}

/** Returns warnings about an order: a limit far from the market is usually a typing error. */
export function warningsOf(entry: Entry, ticker: TickerData | undefined, estimate: Estimate | undefined): string[] {
  const { order: text } = tradingTexts.get();
  const { side, price, type } = entry;
  const found: string[] = [];
  if (estimate?.after.startsWith('-') === true) found.push(text.exceeds(exact(estimate.available)));
  if (type !== 'LIMIT' || price === null) return found;
  const { last, bid, ask } = ticker ?? {};
  const change = last == null ? 0 : Number(price) / Number(last) - 1;
  const share = change > 10 ? text.overThousand : percent((Math.abs(change) * 100).toFixed(1), 1);
  if (Math.abs(change) > 0.01) found.push(change > 0 ? text.farAbove(share) : text.farBelow(share));
  const best = side === 'BUY' ? ask : bid;
  const crosses = best != null && (side === 'BUY' ? Number(price) >= Number(best) : Number(price) <= Number(best));
  if (crosses) found.push(canPostOnly(entry) && entry.isPostOnly ? text.crossesPostOnly : text.crosses);
  return found;
}

export function currenciesOf(symbol: string) {
  const [baseCurrency = '', quoteCurrency = ''] = symbol.split('/');
  return { baseCurrency, quoteCurrency };
}

/** With decimals for numbers that are as somebody typed them. */
type Currencies = ReturnType<typeof currenciesOf> &
  Readonly<Partial<Record<'priceDecimals' | 'quoteDecimals', number>>>;
type Sized = Partial<Readonly<Record<'amount' | 'quoteAmount', string | null | undefined>>>;

/** The amount of an order, in the currency in which it was given. */
export const sizeText = ({ amount, quoteAmount }: Sized, { baseCurrency, quoteCurrency, quoteDecimals }: Currencies) =>
  amount == null
    ? `${exact(quoteAmount ?? '0', quoteDecimals)} ${quoteCurrency}`
    : `${decimal(amount)} ${baseCurrency}`;

/** Describes an order in one line: `Comprar 0,01 BTC a 570.000,00 BRL`. */
export function orderText(
  order: Pick<Wish, 'side'> & Sized & { readonly price?: string | null | undefined },
  currencies: Currencies,
): string {
  const { order: text } = tradingTexts.get();
  const { side, price } = order;
  const limit =
    price == null ? '' : ` ${text.at(`${exact(price, currencies.priceDecimals)} ${currencies.quoteCurrency}`)}`;
  return `${text.sides[side]} ${sizeText(order, currencies)}${limit}`;
}
