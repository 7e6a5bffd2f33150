import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ReceivableStatusEnum } from '../receivables/receivable.enum.js';
import type { ReceivableStatus } from '../receivables/receivable.store.js';
import { BatchStatusEnum } from './credit-batch.enum.js';
import type { BatchStatus } from './credit-batch-transitions.js';
import type { CreditBatchRow } from './credit-batch.store.js';

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

@ObjectType({ simpleResolvers: true, description: 'A page of credit batches.' })
export class CreditBatchPage {
  @Field(() => [CreditBatchItem], { description: 'The batches of this page, the newest first' })
  data!: readonly CreditBatchItem[];

  @Field(() => Int, { description: 'This page, from 1' })
  page!: number;

  @Field(() => Int, { description: 'Batches a page' })
  limit!: number;

  @Field(() => Int, { description: 'Batches on all pages' })
  total!: number;

  @Field(() => Int, { description: 'Pages' })
  totalPages!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What was wrong with a contract of a batch that was rejected.' })
export class CreditBatchError {
  @Field(() => Int, { description: 'Place of the contract in the batch, from 0' })
  index!: number;

  @Field(() => String, { description: 'The contract in the originator’s system' })
  externalId!: string;

  @Field(() => String, { description: 'What of it: `contracts[17].debtorDocument`' })
  path!: string;

  @Field(() => String, { description: 'What is wrong, in words' })
  message!: string;
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

export function toCreditBatchItem(row: CreditBatchRow): Shape<CreditBatchItem> {
  const { id, patrimonyId, name, status, receivableCount, totalFaceValue, createdAt, submittedAt, processedAt } = row;
  return { id, patrimonyId, name, status, receivableCount, totalFaceValue, createdAt, submittedAt, processedAt };
}

export function toCreditBatchDetail(row: CreditBatchRow): Shape<CreditBatchDetail> {
  const { id, patrimonyId, status, receivableCount, totalFaceValue, rejectionReason } = row;
  const { createdAt, submittedAt, processedAt } = row;
  return {
    id,
    patrimonyId,
    status,
    receivableCount,
    totalFaceValue,
    rejectionReason,
    createdAt,
    submittedAt,
    processedAt,
  };
}
