import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { BatchStatusEnum, RejectionRule, SentBatch } from '../batches/batch.type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BatchStatus } from '../batches/transitions.js';
import type { BatchMode } from './credit-batch.store.js';
import { inputs, nullable } from '../../../shared/graphql/fields.js';

export const BatchModeEnum = describeEnum<BatchMode>(
  'CreditBatchMode',
  'What becomes of the eligible contracts of a batch where others are not.',
  {
    ALL_OR_NOTHING: 'One contract with an error rejects the whole batch.',
    ELIGIBLE_ONLY: 'Contracts without errors are assigned; the others are refused, each with its errors.',
  },
  { ALL_OR_NOTHING: ['Tudo ou nada', 'All or nothing'], ELIGIBLE_ONLY: ['Só os elegíveis', 'Eligible only'] },
);

export const modeText = 'What becomes of the eligible contracts where others are not';

// Resolvers add its estate, its errors and its receivables.
@ObjectType({ simpleResolvers: true, description: 'Credits that an originator assigns to an estate together.' })
@Directive('@key(fields: "id")')
export class CreditBatch extends SentBatch {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the estate that receives the credits' })
  patrimonyId!: string;

  @Field(() => String, { description: 'Name of the batch, which its assets show as `batchName`' })
  name!: string;

  @Field(() => BatchStatusEnum, { description: 'Status of the batch' })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Number of contracts in the batch' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Total face value of the contracts, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Sum of the prices that the contracts state, in BRL with 2 decimals; null where none does',
  })
  totalPurchasePrice!: string | null;

  @Field(() => BatchModeEnum, { description: 'What becomes of its eligible contracts where others are not' })
  mode!: BatchMode;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of contracts that passed the checks; 0 of a rejected batch, null until it is decided',
  })
  acceptedCount!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Their face value, in BRL with 2 decimals; null likewise',
  })
  acceptedFaceValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Sum of the prices that they state, in BRL with 2 decimals; null likewise, and without prices',
  })
  acceptedPurchasePrice!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of the other contracts; null until the batch is decided',
  })
  refusedCount!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Their face value, in BRL with 2 decimals; null likewise',
  })
  refusedFaceValue!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the rejected batch of which it has the contracts without errors; null for any other',
  })
  remadeFromId!: string | null;

  @Field(() => String, { nullable: true, description: 'Reason for the rejection; null unless the batch was rejected' })
  rejectionReason!: string | null;

  @Field(() => [RejectionRule], {
    nullable: true,
    description:
      'The rules of which `rejectionReason` is made, for texts in other languages; null unless the batch was rejected',
  })
  rejectionRules!: readonly RejectionRule[] | null;

  @Field(() => Int, {
    description: 'Number of errors of single contracts, when the batch was rejected or some were refused',
  })
  errorCount!: number;

  @Field(() => DateTimeScalar, { description: 'Time of creation' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of submission; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time until which a submitted batch can be cancelled; null before its submission',
  })
  processAfter!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the batch was processed or rejected; null until then',
  })
  processedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of cancellation; null unless the batch was cancelled',
  })
  cancelledAt!: Date | null;
}

@InputType({ description: 'Filter of a list of credit batches. A field that is omitted does not restrict the list.' })
export class CreditBatchFilter extends inputs({
  status: nullable.of(() => BatchStatusEnum, 'Only batches with this status'),
  number: nullable.int('Only batches with this number, of any year'),
  patrimonyId: nullable.id('Only batches for the estate with this id'),
  from: nullable.day('Only batches created on this day or later, in São Paulo'),
  to: nullable.day('Only batches created on this day or earlier, in São Paulo'),
}) {}
