import { requireVisible } from '../../../shared/identifying-text.js';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { ReceivableQuery } from './receivable-list.store.js';
import { ReceivableStatusEnum } from './receivable.enum.js';
import type { ReceivableStatus } from './receivable.store.js';

@InputType({ description: 'Filter of receivables. A field that is omitted does not restrict the list.' })
export class ReceivableFilter {
  @Field(() => ReceivableStatusEnum, {
    nullable: true,
    description: 'Only contracts with this status; OPEN leaves out those that were written off',
  })
  status?: ReceivableStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only contracts that are assigned to this estate (UUID)' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only contracts that are due on this day or later' })
  dueFrom?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only contracts that are due on this day or earlier' })
  dueTo?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Number and amounts of receivables.' })
export class ReceivableTotals {
  @Field(() => Int, { description: 'Number of contracts, whether they were assigned or not' })
  count!: number;

  @Field(() => DecimalScalar, {
    description: 'Total face value of the contracts that were assigned, in BRL with 2 decimals',
  })
  faceValue!: string;

  @Field(() => DecimalScalar, {
    description: 'Sum of the open balances, in BRL with 2 decimals',
  })
  openBalance!: string;
}

/** Returns the query of a caller's arguments. */
export function queryOf(
  externalId: string | null | undefined,
  filter: ReceivableFilter | null | undefined,
): ReceivableQuery {
  const { status, patrimonyId, dueFrom, dueTo } = filter ?? {};
  return {
    externalId: externalId == null ? null : requireVisible('externalId', externalId),
    status: status ?? null,
    patrimonyId: patrimonyId ?? null,
    dueFrom: dueFrom ?? null,
    dueTo: dueTo ?? null,
  };
}
