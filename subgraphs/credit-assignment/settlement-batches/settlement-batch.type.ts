import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';
import { SettlementBatchPayment } from './documented-settlement-batch.type.js';

// Resolvers add its credit batch, its errors and its payments.
@ObjectType({ simpleResolvers: true, description: 'Payments that were received for receivables of a credit batch.' })
@Directive('@key(fields: "id")')
export class SettlementBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => BatchStatusEnum, { description: 'Where it stands' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Payments in it' })
  settlementCount!: number;

  @Field(() => DecimalScalar, { description: 'All of them together, in BRL with 2 decimals' })
  totalSettledAmount!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'How many of its payments could not be taken, where it was rejected' })
  errorCount!: number;

  @Field(() => DateTimeScalar, { description: 'When it was created' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was submitted; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when it can be cancelled once it is submitted; null until then',
  })
  processAfter!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was processed or rejected; null until then' })
  processedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was cancelled; null when it was not' })
  cancelledAt!: Date | null;
}

@ArgsType()
@InputType({ description: 'Which settlement batches to list. What is left out does not narrow the list.' })
export class SettlementBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'That stand here' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Of the credit batch with this id' })
  creditBatchId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or earlier, in São Paulo' })
  to?: string | null;
}

// The resolver adds its batch.
@ObjectType({ simpleResolvers: true, description: 'A payment that was received for a receivable.' })
export class Settlement extends SettlementBatchPayment {}
