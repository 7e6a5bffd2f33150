import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { SortDirection, SortField } from './operation-list.js';
import { OperationTypeEnum } from './operation-type.enum.js';
import type { OperationType } from './operation.js';
import { Operation } from './operation.type.js';

export const SortFieldEnum = describeEnum<SortField>('OperationSortField', 'What operations are ordered by.', {
  TICKER: 'Ticker',
  NAME: 'Name, by its letters; accents and case count only between names that are alike',
  EMISSION_DATE: 'Issue date; operations without one come last',
  MATURITY_DATE: 'Maturity date; operations without one come last',
  VOLUME: 'Issued volume',
});

export const SortDirectionEnum = describeEnum<SortDirection>('SortDirection', 'Which end of an order comes first.', {
  ASC: 'Smallest first',
  DESC: 'Largest first',
});

@InputType({ description: 'Which operations to list. What is left out does not narrow the list.' })
export class OperationFilter {
  @Field(() => [OperationTypeEnum], { nullable: true, description: 'Of one of these types' })
  types?: OperationType[] | null;

  @Field(() => [String], { nullable: true, description: 'With one of these status labels, at most 20' })
  statuses?: string[] | null;

  @AtMost({ maxLength: 200 })
  @Field(() => String, {
    nullable: true,
    description:
      "Words, at most 200 characters, each of which is part of the operation's name, subtitle, ticker, slug, issuer, backing asset or a code of a series, without regard to case and accents. BAD_REQUEST without a letter or a digit",
  })
  text?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'That mature on this day or later' })
  maturityFrom?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'That mature on this day or earlier' })
  maturityTo?: string | null;
}

@InputType({ description: 'The order of a list of operations.' })
export class OperationSort {
  @Field(() => SortFieldEnum, { description: 'What they are ordered by' })
  field!: SortField;

  @Field(() => SortDirectionEnum, { defaultValue: 'ASC', description: 'Which end comes first' })
  direction!: SortDirection;
}

@ArgsType()
export class OperationListArgs {
  @Field(() => OperationFilter, { nullable: true, description: 'Which operations; all public ones when omitted' })
  filter?: OperationFilter | null;

  @Field(() => OperationSort, { nullable: true, description: 'Their order; the latest issue first when omitted' })
  sort?: OperationSort | null;

  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the page before, got with the same filter and sort',
  })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An operation in a list.' })
export class OperationEdge {
  @Field(() => Operation, { description: 'The operation' })
  node!: Operation;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of operations.' })
export class OperationConnection {
  @Field(() => [OperationEdge], { description: 'The operations of this page, each with its place' })
  edges!: readonly OperationEdge[];

  @Field(() => [Operation], { description: 'The operations of this page' })
  nodes!: readonly Operation[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}
