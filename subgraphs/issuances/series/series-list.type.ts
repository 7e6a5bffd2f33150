import { ArgsType, Field, InputType, Directive, ID, Int, ObjectType } from 'type-graphql';
import { RiskClassEnum, type RiskClass } from '../../securities/risk-class.js';
import { type Indexer, IndexerEnum } from '../../securities/indexer.js';
import { SortDirectionEnum } from '../../../shared/graphql/sorted-list.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { issueFilter, IssueStatusEnum } from '../operations/issue-filter.js';
import { OperationTypeEnum } from '../operations/operation.type.js';
import { type IssueStatus, issueStatusOf } from '../operations/issue-status.js';
import type { OperationType } from '../operations/operation.js';
import type { SeriesSortField } from './series-list.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { PublishedLabel } from '../../../shared/graphql/labels.js';
import type { SeriesRow } from './series.store.js';
import { remunerationOf } from './series.js';
import { inputs, of } from '../../../shared/graphql/fields.js';

/** Where the prices of a series come from. */
export type PriceSource = 'ENGINE' | 'TYPED';

export const PriceSourceEnum = describeEnum<PriceSource>(
  'PriceSource',
  'Where prices, payments, status and quantity of a series come from.',
  { ENGINE: 'The tranche that names it: they follow it by event', TYPED: 'Imports of an operator' },
  { ENGINE: ['Calculado', 'Computed'], TYPED: ['Informado', 'Typed'] },
);

// Separate resolvers add its operation and prices.
@ObjectType({ simpleResolvers: true, description: 'A series of an operation, in raw values.' })
@Directive('@key(fields: "ticker")')
export class Series {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => Int, { description: 'Number within the operation' })
  number!: number;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  riskClass!: RiskClass;

  @PublishedLabel('statusText')
  @Field(() => IssueStatusEnum, { description: 'Status; `statusLabel` is the published label' })
  status!: IssueStatus;

  @Field(() => IndexerEnum, { description: 'Index to which its remuneration is linked' })
  indexer!: Indexer;

  @Field(() => DecimalScalar, { description: 'Percentage of the index that is paid' })
  indexerPercent!: string;

  @Field(() => DecimalScalar, { description: 'Fixed rate or spread over the index, in percent per year' })
  rate!: string;

  @Field(() => String, { description: 'Remuneration as displayed: `CDI + 3,50% a.a.`' })
  remuneration!: string;

  @Field(() => DateScalar, { description: 'Issue date' })
  issueDate!: string;

  @Field(() => DateScalar, { description: 'Maturity date' })
  maturityDate!: string;

  @Field(() => String, { nullable: true, description: 'ISIN' })
  isin!: string | null;

  @Field(() => String, { nullable: true, description: 'Code at the depository (código IF)' })
  ifCode!: string | null;

  @Field(() => DecimalScalar, { description: 'Unit value at issue' })
  unitValue!: string;

  @Field(() => DecimalScalar, { description: 'Number of issued units' })
  quantity!: string;

  @Field(() => DecimalScalar, { description: 'Total issued amount in BRL, 2 decimals' })
  issuedTotal!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Raised amount in BRL, 2 decimals' })
  raisedAmount!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Number of subscribed units' })
  subscribedQuotas!: string | null;

  @Field(() => PriceSourceEnum, {
    description: 'Where its prices, payments, status and quantity come from: ENGINE once a tranche names it',
  })
  pricing!: PriceSource;
}

/** A series as resolvers pass it on: the visible fields, the label of its status as it is published, and its operation. */
export type SeriesShape = Shape<Series> & { readonly statusText: string } & Pick<
    SeriesRow,
    'operationId' | 'typedReason'
  >;

export function toSeries(row: SeriesRow): SeriesShape {
  const status = issueStatusOf(row.status);
  const pricing = row.engineTranche !== null && row.typedReason === null ? 'ENGINE' : 'TYPED';
  return { ...row, pricing, riskClass: row.class, remuneration: remunerationOf(row), status, statusText: row.status };
}

export const SeriesSortFieldEnum = describeEnum<SeriesSortField>(
  'SeriesSortField',
  'Field by which series are sorted. Series without a value come last in either direction.',
  {
    TICKER: 'Ticker',
    OPERATION: 'Ticker of the operation',
    RISK_CLASS: 'Risk class: senior, mezzanine, junior, unique',
    STATUS: 'Status, by its letters',
    INDEXER: 'Indexer, by its name',
    RATE: 'Fixed rate or spread over the index',
    ISSUE_DATE: 'Issue date',
    MATURITY_DATE: 'Maturity date',
    UNIT_PRICE: 'Current unit price',
    ISSUED_TOTAL: 'Total issued amount',
    RAISED_AMOUNT: 'Raised amount',
  },
);

@InputType({
  description:
    'Filter of a list of series. All given fields must match; a field that is omitted or an empty list does not restrict the list.',
})
export class SeriesFilter extends issueFilter('series', {
  of: 'of operations ',
  indexed: 'one of these indexers',
  volume: 'total issued amount',
  operation: ' of the operation',
}) {
  @Field(() => [String], {
    nullable: true,
    description: 'Only series of operations with one of these tickers, in any case',
  })
  operationTickers?: string[] | null;

  @Field(() => [OperationTypeEnum], { nullable: true, description: 'Only series of operations of these types' })
  operationTypes?: OperationType[] | null;

  @Field(() => [RiskClassEnum], { nullable: true, description: 'Only series of these risk classes' })
  riskClasses?: RiskClass[] | null;
}

@InputType({ description: 'Sort order of a list of series.' })
export class SeriesSort extends inputs({
  field: of(() => SeriesSortFieldEnum, 'Field by which the list is sorted'),
  direction: of(() => SortDirectionEnum, 'Direction of sorting', { defaultValue: 'ASC' }),
}) {}

@ArgsType()
export class SeriesListArgs extends connectionArgs() {
  @Field(() => SeriesFilter, {
    nullable: true,
    description: 'Restricts the list; the series of all public operations when omitted',
  })
  filter?: SeriesFilter | null;

  @Field(() => SeriesSort, { nullable: true, description: 'Sort order; by ticker when omitted' })
  sort?: SeriesSort | null;
}

export const SeriesConnection = connectionType(Series, { name: 'Series', nodes: 'series' });
