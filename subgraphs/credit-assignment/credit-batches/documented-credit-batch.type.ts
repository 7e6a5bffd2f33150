import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { ReceivableStatusEnum } from '../receivables/receivable.enum.js';
import type { ReceivableStatus } from '../receivables/receivable.store.js';
import { BatchStatusEnum } from '../batches/batch.enum.js';
import type { BatchStatus } from '../batches/transitions.js';

// Types for REST (docs/contract/credit-assignment.md §2.3): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A credit batch as the REST API and the MCP tools return it.' })
export class CreditBatchItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of the estate that receives the credits' })
  patrimonyId!: string;

  @Field(() => String, { description: 'Name of the batch, which its assets show as `batchName`' })
  name!: string;

  @Field(() => BatchStatusEnum, {
    description: 'DRAFT, SUBMITTED, PROCESSING, PROCESSED, REJECTED or CANCELLED',
  })
  status!: BatchStatus;

  @Field(() => Int, { description: 'Number of contracts in the batch' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Total face value of the contracts, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => DateTimeScalar, { description: 'Time of creation' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of submission; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the batch was processed or rejected; null until then',
  })
  processedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A contract of a credit batch.' })
export class CreditBatchContract {
  @Field(() => ID, { description: 'Id (UUID); the receivable, and later the asset, have the same id' })
  id!: string;

  @Field(() => String, { description: "Identifier of the contract in the originator's system" })
  externalId!: string;

  @Field(() => String, { description: 'CPF or CNPJ of the debtor; API keys see only its last digits' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => ReceivableStatusEnum, {
    description: 'PENDING: its batch was not accepted yet. OPEN: not paid in full. SETTLED: paid in full',
  })
  status!: ReceivableStatus;

  @Field(() => DecimalScalar, { description: 'Amount that is still to be paid, in BRL with 2 decimals' })
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

  @Field(() => Int, { description: 'Number of contracts in the batch' })
  receivableCount!: number;

  @Field(() => DecimalScalar, { description: 'Total face value of the contracts, in BRL with 2 decimals' })
  totalFaceValue!: string;

  @Field(() => String, { nullable: true, description: 'Reason for the rejection; null unless the batch was rejected' })
  rejectionReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of creation' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of submission; null until then' })
  submittedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the batch was processed or rejected; null until then',
  })
  processedAt!: Date | null;
}
