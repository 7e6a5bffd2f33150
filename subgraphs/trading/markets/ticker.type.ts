import { Directive, Field, ObjectType } from 'type-graphql';
import type { Decimal } from '../../../shared/kernel/decimal.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import type { Level } from '../venues/venue.js';
import type { Depth, Ticker } from './market-data.js';
import type { MarketRow } from './market.store.js';

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
  { symbol, bid, ask, last, volume24h, change24h, at }: Ticker,
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
