import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { SortDirectionEnum } from '../../../shared/graphql/sort-direction.enum.js';
import type { TrancheSortField } from './tranche-list.js';
import type { Indexer } from '../../../shared/kernel/format/format.js';
import { IndexerEnum } from '../../../shared/securities/indexer.enum.js';
import { RiskClassEnum } from '../../../shared/securities/risk-class.enum.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche } from './tranche.type.js';

/** The filter of the documented list. */
@ArgsType()
export class TrancheListArgs {
  @Field(() => TrancheStatusEnum, { nullable: true, description: 'Only series with this status' })
  status?: TrancheStatus | null;

  @Field(() => String, { nullable: true, description: 'Only series of the estate with this ticker, in any case' })
  patrimonyTicker?: string | null;
}

@InputType({
  description:
    'Filter of a list of series. All given fields must match; a field that is omitted or an empty list does not restrict the list.',
})
export class TrancheFilter {
  @Field(() => TrancheStatusEnum, {
    nullable: true,
    description: 'Only series with this status, in addition to `statuses`',
  })
  status?: TrancheStatus | null;

  @Field(() => [TrancheStatusEnum], { nullable: true, description: 'Only series with one of these statuses' })
  statuses?: TrancheStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Only series of the estate with this ticker, in any case' })
  patrimonyTicker?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only series whose tokens represent units of the series of an operation with this ticker, in any case',
  })
  seriesTicker?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only series with one of these tickers, in any case; those that do not exist are ignored',
  })
  tickers?: string[] | null;

  @Field(() => [RiskClassEnum], { nullable: true, description: 'Only series of these risk classes' })
  riskClasses?: RiskClass[] | null;

  @Field(() => [IndexerEnum], { nullable: true, description: 'Only series with one of these indexers' })
  indexers?: Indexer[] | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Only series whose last instalment is due on this day or later',
  })
  maturityFrom?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Only series whose last instalment is due on this day or earlier',
  })
  maturityTo?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Only series with at least this issued volume, which is `issueValue` times `tokenQuantity`, in BRL',
  })
  volumeFrom?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Only series with at most this issued volume, which is `issueValue` times `tokenQuantity`, in BRL',
  })
  volumeTo?: string | null;
}

export const TrancheSortFieldEnum = describeEnum<TrancheSortField>(
  'TrancheSortField',
  'Field by which series are sorted. Series without a value come last in either direction.',
  {
    TICKER: 'Ticker',
    NAME: 'Name, by its letters',
    STATUS: 'Status: draft, fundraising, active, closed',
    RISK_CLASS: 'Risk class: senior, mezzanine, junior, unique',
    INDEXER: 'Indexer, by its name',
    RATE: 'Annual rate, or the spread when the series follows an index',
    REMUNERATION_START: 'First day of remuneration',
    MATURITY_DATE: 'Due date of the last instalment',
    UNIT_PRICE: 'Current price of a token',
    TOTAL_VALUE: 'Current value of all tokens',
    INVESTED_AMOUNT: 'Amount paid in by investors',
    TOKEN_QUANTITY: 'Number of tokens',
  },
);

@InputType({ description: 'Sort order of a list of series.' })
export class TrancheSort {
  @Field(() => TrancheSortFieldEnum, { description: 'Field by which the list is sorted' })
  field!: TrancheSortField;

  @Field(() => SortDirectionEnum, { defaultValue: 'ASC', description: 'Direction of sorting' })
  direction!: SortDirection;
}

@ArgsType()
export class TrancheConnectionArgs extends connectionArgs() {
  @Field(() => TrancheFilter, { nullable: true, description: 'Restricts the list; all series when omitted' })
  filter?: TrancheFilter | null;

  @Field(() => TrancheSort, { nullable: true, description: 'Sort order; by ticker when omitted' })
  sort?: TrancheSort | null;
}

export const TrancheConnection = connectionType(Tranche, { name: 'Tranche', nodes: 'series' });

@ObjectType({ simpleResolvers: true, description: 'A page of series.' })
export class TrancheList {
  @Field(() => [Tranche], { description: 'The series of this page, sorted by ticker' })
  items!: readonly Tranche[];

  @Field(() => Int, { description: 'Number of matching series on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'How the pages of a series and of its estate are addressed.' })
export class TrancheAddress {
  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Ticker of its estate' })
  patrimonyTicker!: string;
}
