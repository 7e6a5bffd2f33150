import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Principal } from '../../../shared/context.js';
import { maskDocument } from '../../../shared/tax-id.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ReceivableStatusEnum } from './receivable.enum.js';
import type { ReceivableRow, ReceivableStatus } from './receivable.store.js';

// The resolver of relations adds its asset.
@ObjectType({ simpleResolvers: true, description: 'A contract of a credit batch, and what is still to be paid of it.' })
export class Receivable {
  @Field(() => ID, { description: 'Id (UUID): that of the asset that it becomes, too' })
  id!: string;

  @Field(() => ID, { description: 'Id of its credit batch' })
  batchId!: string;

  @Field(() => String, { description: "Its name in the originator's system" })
  externalId!: string;

  @Field(() => String, { description: 'CPF or CNPJ of the debtor; keys see only its last digits' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'When it is due' })
  dueDate!: string;

  @Field(() => ReceivableStatusEnum, { description: 'Where it stands' })
  status!: ReceivableStatus;

  @Field(() => DecimalScalar, { description: 'What is still to be paid, in BRL with 2 decimals' })
  openBalance!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was paid whole; null until then' })
  settledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A receivable in a list.' })
export class ReceivableEdge {
  @Field(() => Receivable, { description: 'The receivable' })
  node!: Receivable;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of receivables.' })
export class ReceivableConnection {
  @Field(() => [ReceivableEdge], { description: 'The receivables of this page, each with its place' })
  edges!: readonly ReceivableEdge[];

  @Field(() => [Receivable], { description: 'The receivables of this page' })
  nodes!: readonly Receivable[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Receivables in the whole list, on all pages' })
  totalCount!: number;
}

/** A receivable as resolvers pass it on: the shown fields, and whether there is an asset. */
export type ReceivableShape = Shape<Receivable> & { readonly hasAsset: boolean };

/**
 * Converts a receivable for a caller. Clients and people see debtors' tax ids whole, since the debtors are their own; a key, which
 * is given to programs and agents, sees the last digits.
 */
export function toReceivable(row: ReceivableRow, { kind }: Principal): ReceivableShape {
  const { id, batchId, externalId, debtorDocument, faceValue, dueDate, status, openBalance, settledAt } = row;
  const whole = kind === 'CLIENT' || kind === 'SESSION';
  return {
    id,
    batchId,
    externalId,
    debtorDocument: whole ? debtorDocument : maskDocument(debtorDocument),
    faceValue,
    dueDate,
    status,
    openBalance,
    settledAt,
    hasAsset: row.batchStatus === 'PROCESSED',
  };
}
