import { InputType, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { MarketRow } from './market.store.js';
import type { Decimal } from '../../../shared/kernel/decimal.js';
import { formatAmount } from '../format-amount.js';
import { coarse, type Pool, type PoolStatus } from './pools.js';
import type { Level } from '../venues/venue.js';
import { keptTrades, type Depth, type Ticker } from './market-data.js';
import { decimal, fields, flag, inputs, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

/** The default for how far from the mid price a market order may trade, in percent. */
export const usualCollarPercent = '5';

const MarketStatus = describeEnum(
  'MarketStatus',
  'Status of a market.',
  {
    ACTIVE: 'New orders are accepted.',
    HALTED:
      'The operator halted the market or all trading, or one of its currencies is halted: new orders are rejected, open ones can be cancelled.',
  },
  { ACTIVE: ['Ativo', 'Active'], HALTED: ['Suspenso', 'Halted'] },
);

@ObjectType({
  simpleResolvers: true,
  description: 'A pair of currencies that can be traded. The rules are the same for real and synthetic orders.',
})
export class Market extends fields({
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  baseCurrency: text('Currency that is bought and sold, such as `BTC`.'),
  quoteCurrency: text('Currency in which it is paid, such as `BRL`.'),
  minOrderSize: decimal('Minimum amount of an order, in the base currency.'),
  priceDecimals: int('Maximum number of decimals of a price. Prices with more decimals are rejected.'),
  amountDecimals: int(
    'Maximum number of decimals of an amount of the base currency. Amounts with more decimals are rejected.',
  ),
  collarPercent: decimal('Maximum distance from the mid price at which a market order is executed, in percent.'),
  status: of<MarketRow['status']>(() => MarketStatus, 'Whether new orders are accepted.'),
  haltReason: nullable.text('Reason of the halt; null while it is ACTIVE.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Status of the kill switch.' })
export class TradingStatus extends fields({
  halted: flag('Whether new orders are rejected in all markets.'),
  reason: nullable.text('Reason of the halt; null unless trading is halted.'),
  changedAt: time('Time of the last change.'),
}) {}

@InputType({ description: 'Changes of a market. Fields that are omitted keep their values.' })
export class MarketChangeInput extends inputs({
  minOrderSize: nullable.decimal(
    'Minimum amount of an order, in the base currency: greater than 0, with at most the decimals that the market allows for amounts.',
  ),
  collarPercent: nullable.decimal(
    'Maximum distance from the mid price at which a market order is executed, in percent: greater than 0, at most 50.',
  ),
}) {}

@InputType({ description: 'A new market.' })
export class MarketInput extends inputs({
  symbol: text('Symbol: two existing currencies, such as `BTC/BRL`.', { maxLength: 30 }),
  priceDecimals: int('Maximum number of decimals of a price, from 0 to 18.'),
  amountDecimals: int('Maximum number of decimals of an amount: from 0 to those of the base currency.'),
  minOrderSize: decimal(
    'Minimum amount of an order, in the base currency: greater than 0, with at most `amountDecimals`.',
  ),
  collarPercent: nullable.decimal(
    `Maximum distance from the mid price at which a market order is executed, in percent: greater than 0, at most 50; default ${usualCollarPercent}.`,
  ),
}) {}

export type MarketShape = Shape<Market>;
export type TradingStatusShape = Shape<TradingStatus>;

export function toMarket({ base, quote, ...row }: MarketRow): MarketShape {
  return { ...row, baseCurrency: base, quoteCurrency: quote };
}

const PoolStatusEnum = describeEnum<PoolStatus>(
  'PoolStatus',
  'Availability of an exchange.',
  {
    ACTIVE: 'Orders are routed to it, and it responds: its balances are at most ten minutes old.',
    UNAVAILABLE: 'It does not respond, or no orders are routed to it. Its balances are the last known ones.',
  },
  { ACTIVE: ['Ativa', 'Active'], UNAVAILABLE: ['Indisponível', 'Unavailable'] },
);

const rounded = 'rounded down to the second significant digit of the sum of `available` and `locked`';

@ObjectType({ simpleResolvers: true, description: 'Balance of the platform in one currency at an exchange.' })
export class PoolBalance extends fields({
  currency: text('Code of the currency: `BRL`, `BTC`.'),
  available: decimal(`Amount that can be used, in the currency, ${rounded}.`),
  locked: decimal(`Amount that is held for open orders there, in the currency, ${rounded}.`),
  total: decimal('Sum of the two displayed amounts, in the currency.'),
}) {}

@ObjectType('Pool', { simpleResolvers: true, description: 'Balances of the platform at an exchange.' })
export class PoolType extends fields({
  exchange: text('Name of the exchange.'),
  status: of(() => PoolStatusEnum, 'Availability of the exchange.'),
  balances: list<Shape<PoolBalance>>(
    () => PoolBalance,
    'Balances by currency; empty until the exchange has reported any.',
    { assumedSize: 20 },
  ),
  updatedAt: nullable.time('Time at which the exchange reported them, up to ten minutes ago; null until it has.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balances of the platform at the connected exchanges.' })
export class PoolList extends fields({
  pools: list<Shape<PoolType>>(() => PoolType, 'Exchanges, sorted by name.', { assumedSize: 20 }),
}) {}

/** @param decimals of currencies; an exchange may hold others too */
export function toPool(
  { exchange, status, balances, updatedAt }: Pool,
  decimals: ReadonlyMap<string, number>,
): Shape<PoolType> {
  return {
    exchange,
    status,
    balances: balances.map(coarse).map(({ currency, available, locked }) => {
      const written = (amount: Decimal) => formatAmount(amount, decimals.get(currency) ?? 0);
      return {
        currency,
        available: written(available),
        locked: written(locked),
        total: written(available.plus(locked)),
      };
    }),
    updatedAt: updatedAt ?? null,
  };
}

@ObjectType({ simpleResolvers: true, description: 'A trade at a venue, of anybody.' })
export class MarketTrade extends fields({
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency.'),
  tradedAt: time('Time of the trade.'),
}) {}

@ObjectType('Ticker', { simpleResolvers: true, description: 'Current prices of a market, over all venues in use.' })
export class TickerType extends fields({
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  bid: nullable.decimal('Highest price at which someone buys, in the quote currency; null without buyers.'),
  ask: nullable.decimal('Lowest price at which someone sells, in the quote currency; null without sellers.'),
  last: nullable.decimal('Price of the last trade; null before the first one.'),
  volume24h: decimal('Traded amount in the last 24 hours, in the base currency.'),
  change24h: nullable.decimal(
    'Change from the first to the last price of the last 24 hours, in percent with 2 decimals: `-1.25` is 1.25% less. Null without trades.',
  ),
  high24h: nullable.decimal('Highest price of the last 24 hours, in the quote currency; null without trades.'),
  low24h: nullable.decimal('Lowest price of the last 24 hours, in the quote currency; null without trades.'),
  trades: list<Shape<MarketTrade>>(
    () => MarketTrade,
    `The latest trades since the server has started, newest first, at most ${keptTrades}.`,
    { assumedSize: keptTrades },
  ),
  timestamp: time('Time of these values.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Total amount at one price of an order book.' })
export class DepthLevel extends fields({
  price: decimal('Price in the quote currency.'),
  amount: decimal('Amount in the base currency, of all venues in use together.'),
}) {}

@ObjectType('Depth', {
  simpleResolvers: true,
  description:
    'Combined order book of all venues in use, before fees. A bid of one venue can temporarily be above an ask of another.',
})
export class DepthType extends fields({
  symbol: text('Symbol of the market, such as `BTC/BRL`.'),
  bids: list(() => DepthLevel, 'Bids, highest price first.', { assumedSize: 20 }),
  asks: list(() => DepthLevel, 'Asks, lowest price first.', { assumedSize: 20 }),
  timestamp: time('Time of these values.'),
}) {}

export type MarketDecimals = Pick<MarketRow, 'priceDecimals' | 'baseDecimals'>;

export function toTicker(
  { symbol, bid, ask, last, volume24h, change24h, high24h, low24h, trades, at }: Ticker,
  { priceDecimals, baseDecimals }: MarketDecimals,
): Shape<TickerType> {
  const written = (price: Decimal | undefined) => (price === undefined ? null : formatAmount(price, priceDecimals));
  return {
    symbol,
    bid: written(bid),
    ask: written(ask),
    last: written(last),
    volume24h: formatAmount(volume24h, baseDecimals),
    change24h: change24h?.toFixed(2) ?? null,
    high24h: written(high24h),
    low24h: written(low24h),
    trades: trades.map(({ price, amount, at: tradedAt }) => ({
      price: formatAmount(price, priceDecimals),
      amount: formatAmount(amount, baseDecimals),
      tradedAt,
    })),
    timestamp: at,
  };
}

export function toDepth(
  { symbol, bids, asks, at }: Depth,
  { priceDecimals, baseDecimals }: MarketDecimals,
): Shape<DepthType> {
  const toLevel = ({ price, amount }: Level): Shape<DepthLevel> => ({
    price: formatAmount(price, priceDecimals),
    amount: formatAmount(amount, baseDecimals),
  });
  return { symbol, bids: bids.map(toLevel), asks: asks.map(toLevel), timestamp: at };
}
