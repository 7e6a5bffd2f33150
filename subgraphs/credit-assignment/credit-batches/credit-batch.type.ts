import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';

// Resolvers add its estate, its errors and its receivables.
@ObjectType({ simpleResolvers: true, description: 'Credits that an originator assigns to an estate, together.' })
@Directive('@key(fields: "id")')
export class CreditBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => BatchStatusEnum, { description: 'Where it stands' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Contracts in it' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Face value of all of them, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => Int, { description: 'How many things were wrong with single contracts, where it was rejected' })
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
@InputType({ description: 'Which credit batches to list. What is left out does not narrow the list.' })
export class CreditBatchFilter {
  @Field(() => BatchStatusEnum, { nullable: true, description: 'That stand here' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'For the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Created on this day or earlier, in São Paulo' })
  to?: string | null;
}
