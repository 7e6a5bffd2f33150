import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';

@ObjectType({ simpleResolvers: true, description: 'What an execution comes to.' })
export class ExecutionCost {
  @Field(() => DecimalScalar, { description: 'In the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Price × amount, in the quote currency.' })
  notional!: string;

  @Field(() => DecimalScalar, { description: 'What the venues charge, in the quote currency.' })
  fees!: string;

  @Field(() => DecimalScalar, {
    description: 'Paid in all for a BUY, received in all for a SELL, in the quote currency.',
  })
  total!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A level of an order book.' })
export class ExecutionLevel {
  @Field(() => DecimalScalar, { description: 'In the quote currency.' })
  price!: string;

  @Field(() => DecimalScalar, { description: 'In the base currency.' })
  amount!: string;
}

@ObjectType('ConsideredVenue', { simpleResolvers: true, description: 'A venue as it was when the order was routed.' })
export class ConsideredVenueType {
  @Field(() => String, { description: 'Its name.' })
  venue!: string;

  @Field(() => Boolean, { description: 'Whether orders could be sent there.' })
  usable!: boolean;

  @Field(() => DecimalScalar, { description: 'Fee of an execution that waited in the book, in percent of its value.' })
  makerFee!: string;

  @Field(() => DecimalScalar, { description: 'Fee of an execution that took from the book, in percent of its value.' })
  takerFee!: string;

  @Field(() => [ExecutionLevel], { description: 'The best 20 bids, the best first.' })
  bids!: Shape<ExecutionLevel>[];

  @Field(() => [ExecutionLevel], { description: 'The best 20 asks, the best first.' })
  asks!: Shape<ExecutionLevel>[];

  @Field(() => ExecutionCost, {
    nullable: true,
    description: 'What the order would have come to there alone; null where nothing could be executed.',
  })
  alone!: Shape<ExecutionCost> | null;
}

@ObjectType({ simpleResolvers: true, description: 'The part of an order that was sent to a venue.' })
export class PlannedExecution {
  @Field(() => String, { description: 'The venue.' })
  venue!: string;

  @Field(() => DecimalScalar, { description: 'In the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'The worst price that was allowed, in the quote currency.' })
  limitPrice!: string;

  @Field(() => String, { description: 'GTC, IOC or FOK.' })
  timeInForce!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A trade of an order on a venue.' })
export class OrderFill {
  @Field(() => String, { description: 'The venue.' })
  venue!: string;

  @Field(() => ID, { description: 'Its id there.' })
  tradeId!: string;

  @Field(() => DecimalScalar, { description: 'In the quote currency.' })
  price!: string;

  @Field(() => DecimalScalar, { description: 'In the base currency.' })
  amount!: string;

  @Field(() => String, { description: 'MAKER or TAKER.' })
  liquidity!: string;

  @Field(() => DateTimeScalar, { description: 'When it was traded.' })
  tradedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'How an order was executed, and why there. Of an order that was refused this is kept for 30 days: afterwards `venues` is empty, and the prices are null.',
})
export class OrderExecution {
  @Field(() => ID, { description: 'The order.' })
  orderId!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Middle between the best bid and ask when it was routed.',
  })
  mid!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The worst price that was allowed: the limit, or the collar.',
  })
  bound!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was sent nowhere, where it was not.' })
  refused!: string | null;

  @Field(() => ExecutionCost, { nullable: true, description: 'What was expected to be executed at once.' })
  expected!: Shape<ExecutionCost> | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Expected average price against the mid, in percent; above zero is worse.',
  })
  expectedSlippagePercent!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Average price of the fills against the mid, in percent; above zero is worse.',
  })
  slippagePercent!: string | null;

  @Field(() => [ConsideredVenueType], { description: 'The venues that were considered.' })
  venues!: Shape<ConsideredVenueType>[];

  @Field(() => [PlannedExecution], { description: 'What was sent where.' })
  children!: Shape<PlannedExecution>[];

  @Field(() => [OrderFill], { description: 'Its fills, in the order in which they were traded; at most 1,000.' })
  fills!: Shape<OrderFill>[];
}
