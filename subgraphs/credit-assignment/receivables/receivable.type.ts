import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Principal } from '../../../shared/context.js';
import { maskDocument } from '../../../shared/tax-id.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ReceivableStatusEnum } from './receivable.enum.js';
import type { ReceivableRow, ReceivableStatus } from './receivable.store.js';

// The resolver of relations adds its asset.
@ObjectType({
  simpleResolvers: true,
  description: 'A contract of a credit batch, with the amount that is still to be paid.',
})
export class Receivable {
  @Field(() => ID, { description: 'Id (UUID); the asset has the same id' })
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

  @Field(() => ReceivableStatusEnum, { description: 'Status of the batch' })
  status!: ReceivableStatus;

  @Field(() => DecimalScalar, { description: 'Amount that is still to be paid, in BRL with 2 decimals' })
  openBalance!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was paid in full; null until then' })
  settledAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A receivable with its cursor in a list.' })
export class ReceivableEdge {
  @Field(() => Receivable, { description: 'The receivable' })
  node!: Receivable;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of receivables.' })
export class ReceivableConnection {
  @Field(() => [ReceivableEdge], { description: 'The receivables of this page, each with its cursor' })
  edges!: readonly ReceivableEdge[];

  @Field(() => [Receivable], { description: 'The receivables of this page' })
  nodes!: readonly Receivable[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'Number of receivables on all pages' })
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
