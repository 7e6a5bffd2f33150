import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { ReceivableStatusEnum } from '../receivables/receivable.enum.js';
import type { ReceivableStatus } from '../receivables/receivable.store.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';

// Types for REST (docs/contract/credit-assignment.md §2.3): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A credit batch as the documented lists and acts answer it.' })
export class CreditBatchItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the estate that receives the credits' })
  patrimonyId!: string;

  @Field(() => String, { description: 'Name, which its assets show as `batchName`' })
  name!: string;

  @Field(() => BatchStatusEnum, {
    description: 'DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED or CANCELLED',
  })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Contracts in it' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Face value of all of them, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => DateTimeScalar, { description: 'When it was created' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was submitted; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was processed or rejected; null until then' })
  processedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A contract of a credit batch.' })
export class CreditBatchContract {
  @Field(() => ID, { description: 'Id (UUID): that of the receivable, and of the asset that it becomes' })
  id!: string;

  @Field(() => String, { description: "Its name in the originator's system" })
  externalId!: string;

  @Field(() => String, { description: 'CPF or CNPJ of the debtor; keys see only its last digits' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'When it is due' })
  dueDate!: string;

  @Field(() => ReceivableStatusEnum, {
    description: 'PENDING: its batch is not accepted. OPEN: to be paid. SETTLED: paid',
  })
  status!: ReceivableStatus;

  @Field(() => DecimalScalar, { description: 'What is still to be paid, in BRL with 2 decimals' })
  openBalance!: string;
}

// Its resolver adds its errors and its contracts.
@ObjectType({ simpleResolvers: true, description: 'A credit batch with its contracts.' })
export class CreditBatchDetail {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the estate that receives the credits' })
  patrimonyId!: string;

  @Field(() => BatchStatusEnum, {
    description: 'DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED or CANCELLED',
  })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Contracts in it' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Face value of all of them, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it was not' })
  rejectionReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it was created' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was submitted; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was processed or rejected; null until then' })
  processedAt!: Date | null;
}
