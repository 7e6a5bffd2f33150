import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { PatrimonyRow } from './patrimony.store.js';
import type { PatrimonyStatus } from './patrimony.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';

// The resolvers of series, assets and totals add what belongs to an estate.
@ObjectType({
  simpleResolvers: true,
  description: 'An estate (patrimônio), which separates the assets and liabilities of one securitization.',
})
@Directive('@key(fields: "id")')
@Directive('@key(fields: "ticker")')
export class Patrimony {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { description: 'Slug, the other name of the estate; unique without regard to case' })
  slug!: string;

  @Field(() => PatrimonyStatusEnum, { description: 'DRAFT: being set up. ACTIVE: in force. CLOSED: ended' })
  status!: PatrimonyStatus;

  @Field(() => DateTimeScalar, { description: 'Time of registration' })
  createdAt!: Date;
}

/** An estate as resolvers pass it on: the visible fields, and the ticker of its operation. */
export type PatrimonyShape = Shape<Patrimony> & { readonly operationTicker: string | null };

export function toPatrimony(row: PatrimonyRow): PatrimonyShape {
  const { id, ticker, name, slug, status, createdAt, operationTicker } = row;
  return { id, ticker, name, slug, status, createdAt, operationTicker };
}

const PatrimonyStatusEnum = describeEnum<PatrimonyStatus>(
  'PatrimonyStatus',
  'Status of an estate.',
  {
    DRAFT: 'Being set up',
    ACTIVE: 'In force',
    CLOSED: 'Ended: everything in it is settled',
  },
  { DRAFT: ['Em estruturação', 'Draft'], ACTIVE: ['Ativo', 'Active'], CLOSED: ['Encerrado', 'Closed'] },
);
