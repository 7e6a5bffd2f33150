import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { OrderSideEnum } from '../orders/order.type.js';
import type { Side } from '../venues/venue.js';

@ObjectType({
  simpleResolvers: true,
  description: 'An executed quote that the house has not traded whole at the venues: what is left is its own position.',
})
export class OpenHedge {
  @Field(() => ID, { description: 'The quote (UUID).' })
  quoteId!: string;

  @Field(() => ID, { description: 'The company that executed it.' })
  companyId!: string;

  @Field(() => Boolean, { description: 'Whether it is of the synthetic world.' })
  synthetic!: boolean;

  @Field(() => String, { description: 'The market, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'What the client did, and the house has to do at the venues.' })
  side!: Side;

  @Field(() => DecimalScalar, { description: 'To be traded in all, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Traded so far, in the base currency.' })
  hedgedAmount!: string;

  @Field(() => DateTimeScalar, { description: 'When the quote was executed.' })
  since!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Since when it counts as open for too long, and is in the log as an error; null before.',
  })
  overdueSince!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it could not be traded when that was last tried.' })
  reason!: string | null;
}
