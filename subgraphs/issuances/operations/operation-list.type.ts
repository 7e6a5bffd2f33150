import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { SortDirection, SortField } from './operation-list.js';
import { OperationTypeEnum } from './operation-type.enum.js';
import type { OperationType } from './operation.js';
import { Operation } from './operation.type.js';

export const SortFieldEnum = describeEnum<SortField>('OperationSortField', 'Field by which operations are sorted.', {
  TICKER: 'Ticker',
  NAME: 'Name, by its letters; accents and case are compared only for otherwise equal names',
  EMISSION_DATE: 'Issue date; operations without one come last',
  MATURITY_DATE: 'Maturity date as in `maturityDate`; operations without one come last',
  VOLUME: 'Issued volume',
});

export const SortDirectionEnum = describeEnum<SortDirection>('SortDirection', 'Direction of sorting.', {
  ASC: 'Smallest first',
  DESC: 'Largest first',
});

@InputType({ description: 'Filter of a list of operations. A field that is omitted does not restrict the list.' })
export class OperationFilter {
  @Field(() => [OperationTypeEnum], { nullable: true, description: 'Only operations of these types' })
  types?: OperationType[] | null;

  @Field(() => [String], { nullable: true, description: 'Only operations with one of these status labels, at most 20' })
  statuses?: string[] | null;

  @AtMost({ maxLength: 200 })
  @Field(() => String, {
    nullable: true,
    description:
      "Words, at most 200 characters in total. Each must be part of the operation's name, subtitle, ticker, slug, issuer, backing asset or a code of a series, without regard to case and accents. Errors: 400 without a letter or a digit",
  })
  text?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only operations that mature on this day or later' })
  maturityFrom?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only operations that mature on this day or earlier' })
  maturityTo?: string | null;
}

@InputType({ description: 'Sort order of a list of operations.' })
export class OperationSort {
  @Field(() => SortFieldEnum, { description: 'Field by which the list is sorted' })
  field!: SortField;

  @Field(() => SortDirectionEnum, { defaultValue: 'ASC', description: 'Direction of sorting' })
  direction!: SortDirection;
}

@ArgsType()
export class OperationListArgs {
  @Field(() => OperationFilter, {
    nullable: true,
    description: 'Restricts the list; all public operations when omitted',
  })
  filter?: OperationFilter | null;

  @Field(() => OperationSort, { nullable: true, description: 'Sort order; latest issue first when omitted' })
  sort?: OperationSort | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter and sort',
  })
  after?: string | null;
}

export const OperationConnection = connectionType(Operation, { name: 'Operation', nodes: 'operations' });
