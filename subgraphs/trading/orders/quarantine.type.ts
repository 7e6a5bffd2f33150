import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { ExecutionRow } from './execution.store.js';
import type { OrderRow } from './order.store.js';
import { OrderSideEnum } from './order.type.js';

@ObjectType({ description: 'The part of an order at a venue of which it is not known what became.' })
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

export function toUnknownExecution(row: ExecutionRow): Shape<UnknownExecution> {
  const { id, venue, amount, limitPrice, filledAmount, reason } = row;
  return { id, venue, amount, limitPrice, filledAmount, reason };
}
