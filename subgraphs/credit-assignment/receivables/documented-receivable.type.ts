import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { ReceivableStatusEnum } from './receivable.enum.js';
import type { ReceivableStatus } from './receivable.store.js';

// A type for REST (docs/contract/credit-assignment.md §3.2): SOFA expands every relation of the type in the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'A receivable as the documented interface answers it.' })
export class ReceivableItem {
  @Field(() => ID, { description: 'Id (UUID): what settlements name as `contractId`, and the id of its asset' })
  id!: string;

  @Field(() => ID, { description: 'Id of its credit batch' })
  batchId!: string;

  @Field(() => String, { description: "The contract in the originator's system" })
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

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was paid whole; null until then' })
  settledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of receivables.' })
export class ReceivableList {
  @Field(() => [ReceivableItem], {
    description:
      'The receivables of this page: of a batch in the order in which they came, of an external id the newest first',
  })
  items!: readonly ReceivableItem[];

  @Field(() => Int, { description: 'Receivables in the whole list, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out)',
  })
  nextToken!: string | null;
}
