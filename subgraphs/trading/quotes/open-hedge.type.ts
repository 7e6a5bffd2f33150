import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { OrderSideEnum } from '../orders/order.type.js';
import type { Side } from '../venues/venue.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'An executed quote that the platform has not completely traded at the venues: the rest is its own position.',
})
export class OpenHedge {
  @Field(() => ID, { description: 'Id of the quote (UUID).' })
  quoteId!: string;

  @Field(() => ID, { description: 'Id of the company that executed it.' })
  companyId!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, {
    description: 'Side of the client, which is also the side of the trades at the venues.',
  })
  side!: Side;

  @Field(() => DecimalScalar, { description: 'Total amount to be traded, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Amount traded so far, in the base currency.' })
  hedgedAmount!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which the quote was executed.' })
  since!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time since which it is overdue and logged as an error; null before.',
  })
  overdueSince!: Date | null;

  @Field(() => String, { nullable: true, description: 'Reason for which the last attempt to trade it failed.' })
  reason!: string | null;
}
