import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { Level } from '../venues/venue.js';
import type { Depth, Ticker } from './market-data.js';

@ObjectType('Ticker', { simpleResolvers: true, description: 'Where a market stands, over all venues in use.' })
export class TickerType {
  @Field(() => String, { description: 'As `BTC/BRL`.' })
  symbol!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Best price that somebody pays, in the quote currency; null where nobody does.',
  })
  bid!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Best price that somebody sells at, in the quote currency; null where nobody does.',
  })
  ask!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Price of the last trade; null before the first.' })
  last!: string | null;

  @Field(() => DecimalScalar, { description: 'What was traded in the last 24 hours, in the base currency.' })
  volume24h!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The last price against the first of the last 24 hours, in percent with 2 decimals: `-1.25` is 1.25% less. Null without trades.',
  })
  change24h!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it was so.' })
  timestamp!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'What is bid or asked at one price.' })
export class DepthLevel {
  @Field(() => DecimalScalar, { description: 'In the quote currency.' })
  price!: string;

  @Field(() => DecimalScalar, { description: 'In the base currency, of all venues in use together.' })
  amount!: string;
}

@ObjectType('Depth', {
  simpleResolvers: true,
  description:
    'The order books of all venues in use as one, before fees. A bid of one venue can be above an ask of another for a moment.',
})
export class DepthType {
  @Field(() => String, { description: 'As `BTC/BRL`.' })
  symbol!: string;

  @Field(() => [DepthLevel], { description: 'The highest price first.' })
  bids!: DepthLevel[];

  @Field(() => [DepthLevel], { description: 'The lowest price first.' })
  asks!: DepthLevel[];

  @Field(() => DateTimeScalar, { description: 'When it was so.' })
  timestamp!: Date;
}

export function toTicker({ symbol, bid, ask, last, volume24h, change24h, at }: Ticker): Shape<TickerType> {
  return {
    symbol,
    bid: bid?.toFixed() ?? null,
    ask: ask?.toFixed() ?? null,
    last: last?.toFixed() ?? null,
    volume24h: volume24h.toFixed(),
    change24h: change24h?.toFixed(2) ?? null,
    timestamp: at,
  };
}

export function toDepth({ symbol, bids, asks, at }: Depth): Shape<DepthType> {
  return { symbol, bids: bids.map(toLevel), asks: asks.map(toLevel), timestamp: at };
}

function toLevel({ price, amount }: Level): Shape<DepthLevel> {
  return { price: price.toFixed(), amount: amount.toFixed() };
}
