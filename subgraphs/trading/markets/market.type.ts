import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { MarketRow, TradingSwitch } from './market.store.js';

const MarketStatus = describeEnum('MarketStatus', 'Whether orders are taken in a market.', {
  ACTIVE: 'New orders are taken.',
  HALTED:
    'The operator halted the market or all of trading, or one of its currencies is halted: no new orders are taken, open ones can be cancelled.',
});

@ObjectType({
  simpleResolvers: true,
  description: 'A pair that can be traded. Real and synthetic orders share the rules.',
})
export class Market {
  @Field(() => String, { description: 'As `BTC/BRL`.' })
  symbol!: string;

  @Field(() => String, { description: 'The currency that is bought and sold, as `BTC`.' })
  baseCurrency!: string;

  @Field(() => String, { description: 'The currency that it is paid with, as `BRL`.' })
  quoteCurrency!: string;

  @Field(() => DecimalScalar, { description: 'Least amount of an order, in the base currency.' })
  minOrderSize!: string;

  @Field(() => Int, { description: 'Decimals of a price at most. More are refused.' })
  priceDecimals!: number;

  @Field(() => Int, { description: 'Decimals of an amount of the base currency at most. More are refused.' })
  amountDecimals!: number;

  @Field(() => DecimalScalar, {
    description: 'How far from the middle of the market a market order trades at most, in percent.',
  })
  collarPercent!: string;

  @Field(() => MarketStatus, { description: 'Whether orders are taken.' })
  status!: MarketRow['status'];

  @Field(() => String, { nullable: true, description: 'Why it is halted; null while it is ACTIVE.' })
  haltReason!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'All markets.' })
export class MarketList {
  @Field(() => [Market], { description: 'By symbol.' })
  markets!: Market[];
}

@ObjectType({ simpleResolvers: true, description: 'Whether anything is traded at all.' })
export class TradingStatus {
  @Field(() => Boolean, { description: 'Whether no market takes new orders.' })
  halted!: boolean;

  @Field(() => String, { nullable: true, description: 'Why; null while it is not halted.' })
  reason!: string | null;

  @Field(() => DateTimeScalar, { description: 'Since when it is so.' })
  changedAt!: Date;
}

@InputType({ description: 'What is to be changed of a market. What is left out stays.' })
export class MarketChangeInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Least amount of an order, in the base currency: above 0, with at most the market's decimals of an amount.",
  })
  minOrderSize?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'How far from the middle of the market a market order trades at most, in percent: above 0, at most 50.',
  })
  collarPercent?: string | null;
}

@InputType({ description: 'A market that is to be added.' })
export class MarketInput {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Two known currencies, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => Int, { description: 'Decimals of a price at most, from 0 to 18.' })
  priceDecimals!: number;

  @Field(() => Int, { description: 'Decimals of an amount at most: from 0 to those of the base currency.' })
  amountDecimals!: number;

  @Field(() => DecimalScalar, {
    description: 'Least amount of an order, in the base currency: above 0, with at most `amountDecimals`.',
  })
  minOrderSize!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'How far from the middle of the market a market order trades at most, in percent: above 0, at most 50; 5 when omitted.',
  })
  collarPercent?: string | null;
}

export type MarketShape = Shape<Market>;
export type TradingStatusShape = Shape<TradingStatus>;

export function toMarket({ base, quote, ...row }: MarketRow): MarketShape {
  return { ...row, baseCurrency: base, quoteCurrency: quote };
}

export function toTradingStatus(row: TradingSwitch): TradingStatusShape {
  return row;
}
