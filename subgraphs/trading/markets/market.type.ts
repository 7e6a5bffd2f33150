import { Directive, Field, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { MarketRow } from './market.store.js';
import type { Decimal } from '../../../shared/kernel/decimal.js';
import { formatAmount } from '../format-amount.js';
import { coarse, type Pool, type PoolStatus } from './pools.js';
import type { Level } from '../venues/venue.js';
import { keptTrades, type Depth, type Ticker } from './market-data.js';

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
export class Market {
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => String, { description: 'Currency that is bought and sold, such as `BTC`.' })
  baseCurrency!: string;

  @Field(() => String, { description: 'Currency in which it is paid, such as `BRL`.' })
  quoteCurrency!: string;

  @Field(() => DecimalScalar, { description: 'Minimum amount of an order, in the base currency.' })
  minOrderSize!: string;

  @Field(() => Int, { description: 'Maximum number of decimals of a price. Prices with more decimals are rejected.' })
  priceDecimals!: number;

  @Field(() => Int, {
    description:
      'Maximum number of decimals of an amount of the base currency. Amounts with more decimals are rejected.',
  })
  amountDecimals!: number;

  @Field(() => DecimalScalar, {
    description: 'Maximum distance from the mid price at which a market order is executed, in percent.',
  })
  collarPercent!: string;

  @Field(() => MarketStatus, { description: 'Whether new orders are accepted.' })
  status!: MarketRow['status'];

  @Field(() => String, { nullable: true, description: 'Reason of the halt; null while it is ACTIVE.' })
  haltReason!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Status of the kill switch.' })
export class TradingStatus {
  @Field(() => Boolean, { description: 'Whether new orders are rejected in all markets.' })
  halted!: boolean;

  @Field(() => String, { nullable: true, description: 'Reason of the halt; null unless trading is halted.' })
  reason!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of the last change.' })
  changedAt!: Date;
}

@InputType({ description: 'Changes of a market. Fields that are omitted keep their values.' })
export class MarketChangeInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Minimum amount of an order, in the base currency: greater than 0, with at most the decimals that the market allows for amounts.',
  })
  minOrderSize?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Maximum distance from the mid price at which a market order is executed, in percent: greater than 0, at most 50.',
  })
  collarPercent?: string | null;
}

@InputType({ description: 'A new market.' })
export class MarketInput {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Symbol: two existing currencies, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => Int, { description: 'Maximum number of decimals of a price, from 0 to 18.' })
  priceDecimals!: number;

  @Field(() => Int, { description: 'Maximum number of decimals of an amount: from 0 to those of the base currency.' })
  amountDecimals!: number;

  @Field(() => DecimalScalar, {
    description: 'Minimum amount of an order, in the base currency: greater than 0, with at most `amountDecimals`.',
  })
  minOrderSize!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Maximum distance from the mid price at which a market order is executed, in percent: greater than 0, at most 50; default 5.',
  })
  collarPercent?: string | null;
}

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
export class PoolBalance {
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `Amount that can be used, in the currency, ${rounded}.` })
  available!: string;

  @Field(() => DecimalScalar, {
    description: `Amount that is held for open orders there, in the currency, ${rounded}.`,
  })
  locked!: string;

  @Field(() => DecimalScalar, { description: 'Sum of the two displayed amounts, in the currency.' })
  total!: string;
}

@ObjectType('Pool', { simpleResolvers: true, description: 'Balances of the platform at an exchange.' })
export class PoolType {
  @Field(() => String, { description: 'Name of the exchange.' })
  exchange!: string;

  @Field(() => PoolStatusEnum, { description: 'Availability of the exchange.' })
  status!: PoolStatus;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [PoolBalance], { description: 'Balances by currency; empty until the exchange has reported any.' })
  balances!: Shape<PoolBalance>[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the exchange reported them, up to ten minutes ago; null until it has.',
  })
  updatedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Balances of the platform at the connected exchanges.' })
export class PoolList {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [PoolType], { description: 'Exchanges, sorted by name.' })
  pools!: Shape<PoolType>[];
}

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
export class MarketTrade {
  @Field(() => DecimalScalar, { description: 'Price in the quote currency.' })
  price!: string;

  @Field(() => DecimalScalar, { description: 'Amount in the base currency.' })
  amount!: string;

  @Field(() => DateTimeScalar, { description: 'Time of the trade.' })
  tradedAt!: Date;
}

@ObjectType('Ticker', { simpleResolvers: true, description: 'Current prices of a market, over all venues in use.' })
export class TickerType {
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Highest price at which someone buys, in the quote currency; null without buyers.',
  })
  bid!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Lowest price at which someone sells, in the quote currency; null without sellers.',
  })
  ask!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the last trade; null before the first one.' })
  last!: string | null;

  @Field(() => DecimalScalar, { description: 'Traded amount in the last 24 hours, in the base currency.' })
  volume24h!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Change from the first to the last price of the last 24 hours, in percent with 2 decimals: `-1.25` is 1.25% less. Null without trades.',
  })
  change24h!: string | null;

  @Directive(`@listSize(assumedSize: ${keptTrades})`)
  @Field(() => [MarketTrade], {
    description: `The latest trades since the server has started, newest first, at most ${keptTrades}.`,
  })
  trades!: Shape<MarketTrade>[];

  @Field(() => DateTimeScalar, { description: 'Time of these values.' })
  timestamp!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Total amount at one price of an order book.' })
export class DepthLevel {
  @Field(() => DecimalScalar, { description: 'Price in the quote currency.' })
  price!: string;

  @Field(() => DecimalScalar, { description: 'Amount in the base currency, of all venues in use together.' })
  amount!: string;
}

@ObjectType('Depth', {
  simpleResolvers: true,
  description:
    'Combined order book of all venues in use, before fees. A bid of one venue can temporarily be above an ask of another.',
})
export class DepthType {
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [DepthLevel], { description: 'Bids, highest price first.' })
  bids!: DepthLevel[];

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [DepthLevel], { description: 'Asks, lowest price first.' })
  asks!: DepthLevel[];

  @Field(() => DateTimeScalar, { description: 'Time of these values.' })
  timestamp!: Date;
}

/** The decimals with which prices and amounts of a market are written. */
export type MarketDecimals = Pick<MarketRow, 'priceDecimals' | 'baseDecimals'>;

export function toTicker(
  { symbol, bid, ask, last, volume24h, change24h, trades, at }: Ticker,
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
