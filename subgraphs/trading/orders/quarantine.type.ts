import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OrderRow } from './order.store.js';
import { OrderSideEnum } from './order.type.js';

const ResolutionEnum = describeEnum('ExecutionOutcome', 'Outcome of an order at a venue.', {
  FILLED: 'It was filled: `amount` at `price`.',
  CANCELLED: 'It was cancelled; if `amount` and `price` are given, that part was filled before.',
  REJECTED: 'The venue never accepted it.',
});

/** An operator's finding about an execution. */
@ArgsType()
export class ResolutionArgs {
  @Field(() => ResolutionEnum, { description: 'Outcome at the venue.' })
  outcome!: keyof typeof ResolutionEnum;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Filled amount, in the base currency; at most the remaining amount.',
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Average price of the filled amount, in the quote currency; not worse than the limit.',
  })
  price?: string | null;

  @Field(() => String, { description: 'Source of the outcome, for the audit log: 1 to 500 characters on one line.' })
  reason!: string;
}

@ObjectType({
  description: 'An execution at a venue, for an order or for a hedge, whose outcome is unknown.',
})
export class UnknownExecution {
  @Field(() => ID, { description: 'Id of the execution (UUID), which is its client order id at the venue.' })
  id!: string;

  @Field(() => String, { description: 'The venue.' })
  venue!: string;

  @Field(() => DecimalScalar, { description: 'Amount that was sent, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Limit price, in the quote currency.' })
  limitPrice!: string;

  @Field(() => DecimalScalar, { description: 'Amount that is known to be filled, in the base currency.' })
  filledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Last error.' })
  reason!: string | null;

  @Field(() => Int, { description: 'Number of look-ups at the venue that did not find it since it was last found.' })
  looks!: number;
}

@ObjectType({ description: 'An order that waits for an operator. Its funds remain held.' })
export class QuarantinedOrder {
  @Field(() => ID, { description: 'The order (UUID).' })
  orderId!: string;

  @Field(() => ID, { description: 'Id of the company.' })
  companyId!: string;

  @Field(() => String, { description: 'The market.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: OrderRow['side'];

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => DateTimeScalar, { description: 'Time at which it was placed.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time since which it waits.' })
  quarantinedAt!: Date;
}

export function toQuarantinedOrder(row: OrderRow): Omit<Shape<QuarantinedOrder>, 'executions'> {
  const { id: orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt } = row;
  return { orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt: quarantinedAt ?? createdAt };
}
