import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { ReceivableStatusEnum } from './receivable.enum.js';
import type { ReceivableStatus } from './receivable.store.js';

// A type for REST (docs/contract/credit-assignment.md §3.2): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A receivable as the REST API and the MCP tools return it.' })
export class ReceivableItem {
  @Field(() => ID, { description: 'Id (UUID), which settlements use as `contractId`; the asset has the same id' })
  id!: string;

  @Field(() => ID, { description: 'Id of its credit batch' })
  batchId!: string;

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

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was paid in full; null until then' })
  settledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of receivables.' })
export class ReceivableList {
  @Field(() => [ReceivableItem], {
    description:
      'The receivables of this page: those of a batch in the order in which they were submitted, those with an external id newest first',
  })
  items!: readonly ReceivableItem[];

  @Field(() => Int, { description: 'Number of receivables on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}
