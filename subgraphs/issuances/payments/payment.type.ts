import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';

@ObjectType({ simpleResolvers: true, description: 'A payment of an operation to its holders.' })
export class Payment {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Ticker of the series; null for a payment of the whole operation',
  })
  seriesTicker!: string | null;

  @Field(() => Int, { description: 'Number of the instalment' })
  installmentNumber!: number;

  @Field(() => String, { description: 'Kind of the payment, a free label: Juros, Amortização…' })
  event!: string;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the payment; null until it is made' })
  paidDate!: string | null;

  @Field(() => PaymentStatusEnum, { description: 'Status as of today' })
  status!: PaymentStatus;

  @Field(() => DecimalScalar, { nullable: true, description: 'Interest; null while it is not known' })
  interestValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Principal; null while it is not known' })
  principalValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Interest and principal; null while it is not known' })
  totalValue!: string | null;
}
