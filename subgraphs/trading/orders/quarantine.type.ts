import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OrderRow } from './order.store.js';
import { OrderSideEnum } from './order.type.js';

export const ResolutionEnum = { FILLED: 'FILLED', CANCELLED: 'CANCELLED', REJECTED: 'REJECTED' } as const;
registerEnumType(ResolutionEnum, {
  name: 'ExecutionOutcome',
  description: 'What became of what was sent to a venue.',
  valuesConfig: {
    FILLED: { description: 'It was filled: `amount` at `price`.' },
    CANCELLED: { description: 'It was cancelled; `amount` at `price` was filled before, where they are given.' },
    REJECTED: { description: 'It never was an order there.' },
  },
});

@ObjectType({
  description: 'What was sent to a venue, for an order or for a hedge, and of which it is not known what became.',
})
export class UnknownExecution {
  @Field(() => ID, { description: 'Its id, which is the client order id at the venue (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The venue.' })
  venue!: string;

  @Field(() => DecimalScalar, { description: 'What was sent, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Its limit, in the quote currency.' })
  limitPrice!: string;

  @Field(() => DecimalScalar, { description: 'What is known to be filled of it, in the base currency.' })
  filledAmount!: string;

  @Field(() => String, { nullable: true, description: 'What went wrong last.' })
  reason!: string | null;

  @Field(() => Int, { description: 'How often the venue was asked for it in vain since it was last found there.' })
  looks!: number;
}

@ObjectType({ description: 'An order that waits for an operator. Its funds stay set aside.' })
export class QuarantinedOrder {
  @Field(() => ID, { description: 'The order (UUID).' })
  orderId!: string;

  @Field(() => ID, { description: 'The company.' })
  companyId!: string;

  @Field(() => String, { description: 'The market.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL.' })
  side!: OrderRow['side'];

  @Field(() => Boolean, { description: 'Whether it is synthetic.' })
  synthetic!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was placed.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Since when it waits.' })
  quarantinedAt!: Date;
}

export function toQuarantinedOrder(row: OrderRow): Omit<Shape<QuarantinedOrder>, 'executions'> {
  const { id: orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt } = row;
  return { orderId, companyId, symbol, side, synthetic, createdAt, quarantinedAt: quarantinedAt ?? createdAt };
}

export function toUnknownExecution(row: Shape<UnknownExecution>): Shape<UnknownExecution> {
  const { id, venue, amount, limitPrice, filledAmount, reason, looks } = row;
  return { id, venue, amount, limitPrice, filledAmount, reason, looks };
}
