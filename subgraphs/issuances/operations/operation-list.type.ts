import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Indexer } from '../../../shared/kernel/format/format.js';
import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import { SortDirectionEnum } from '../../../shared/graphql/sort-direction.enum.js';
import { IndexerEnum } from '../../../shared/securities/indexer.enum.js';
import { IssueStatusEnum, OperationTypeEnum, Operation } from './operation.type.js';
import type { IssueStatus } from './issue-status.js';
import type { SortField } from './operation-list.js';
import type { OperationType } from './operation.js';

export const SortFieldEnum = describeEnum<SortField>('OperationSortField', 'Field by which operations are sorted.', {
  TICKER: 'Ticker',
  NAME: 'Name, by its letters; accents and case are compared only for otherwise equal names',
  TYPE: 'Type of its securities',
  STATUS: 'Status, by its letters',
  ISSUER: 'Issuer, by its letters; operations without one come last',
  RATING: 'Rating, by its letters; operations without one come last',
  EMISSION_DATE: 'Issue date; operations without one come last',
  MATURITY_DATE: 'Maturity date as in `maturityDate`; operations without one come last',
  VOLUME: 'Issued volume',
});

@InputType({
  description:
    'Filter of a list of operations. All given fields must match; a field that is omitted or an empty list does not restrict the list.',
})
export class OperationFilter {
  @Field(() => [OperationTypeEnum], { nullable: true, description: 'Only operations of these types' })
  types?: OperationType[] | null;

  @Field(() => [IssueStatusEnum], { nullable: true, description: 'Only operations with one of these statuses' })
  statuses?: IssueStatus[] | null;

  @AtMost({ maxItems: 20 })
  @Field(() => [String], {
    nullable: true,
    description: 'Only operations with one of these published labels, exactly as in `statusLabel(locale: PT_BR)`',
  })
  statusLabels?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only operations with one of these tickers, in any case; those that do not exist are ignored',
  })
  tickers?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only operations of one of these issuers, exactly as in `issuer`',
  })
  issuers?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only operations with one of these ratings, exactly as in `rating`',
  })
  ratings?: string[] | null;

  @Field(() => [IndexerEnum], { nullable: true, description: 'Only operations with a series of one of these indexers' })
  indexers?: Indexer[] | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only operations issued on this day or later' })
  issueFrom?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only operations issued on this day or earlier' })
  issueTo?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Only operations with at least this issued volume, in BRL',
  })
  volumeFrom?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Only operations with at most this issued volume, in BRL',
  })
  volumeTo?: string | null;

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
export class OperationListArgs extends connectionArgs() {
  @Field(() => OperationFilter, {
    nullable: true,
    description: 'Restricts the list; all public operations when omitted',
  })
  filter?: OperationFilter | null;

  @Field(() => OperationSort, { nullable: true, description: 'Sort order; latest issue first when omitted' })
  sort?: OperationSort | null;
}

export const OperationConnection = connectionType(Operation, { name: 'Operation', nodes: 'operations' });

@ObjectType({ simpleResolvers: true, description: 'How the pages of an operation are addressed.' })
export class OperationAddress {
  @Field(() => String, { description: 'Slug of the operation' })
  slug!: string;

  @Field(() => [String], { description: 'Tickers of its series, by number' })
  seriesTickers!: readonly string[];
}
