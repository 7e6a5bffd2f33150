import { ArgsType, InputType, Directive, ObjectType } from 'type-graphql';
import { RiskClassEnum } from '../../securities/risk-class.js';
import { IndexerEnum } from '../../securities/indexer.js';
import { SortDirectionEnum } from '../../../shared/graphql/sorted-list.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { issueFilter, IssueStatusEnum, issueStatusOf } from '../operations/issue-filter.js';
import { OperationTypeEnum } from '../operations/operation.type.js';
import type { SeriesSortField } from './series-list.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { SeriesRow } from './series.store.js';
import { remunerationOf } from './series.js';
import { args, day, decimal, fields, id, inputs, int, nullable, of, text } from '../../../shared/graphql/fields.js';

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
export class Series extends fields({
  id: id('Id (UUID)'),
  ticker: text('Ticker, unique without regard to case'),
  number: int('Number within the operation'),
  riskClass: of(() => RiskClassEnum, 'Risk class'),
  status: of(() => IssueStatusEnum, 'Status; `statusLabel` is the published label', { publishedLabel: 'statusText' }),
  indexer: of(() => IndexerEnum, 'Index to which its remuneration is linked'),
  indexerPercent: decimal('Percentage of the index that is paid'),
  rate: decimal('Fixed rate or spread over the index, in percent per year'),
  remuneration: text('Remuneration as displayed: `CDI + 3,50% a.a.`'),
  issueDate: day('Issue date'),
  maturityDate: day('Maturity date'),
  isin: nullable.text('ISIN'),
  ifCode: nullable.text('Code at the depository (código IF)'),
  unitValue: decimal('Unit value at issue'),
  quantity: decimal('Number of issued units'),
  issuedTotal: decimal('Total issued amount in BRL, 2 decimals'),
  raisedAmount: nullable.decimal('Raised amount in BRL, 2 decimals'),
  subscribedQuotas: nullable.decimal('Number of subscribed units'),
  pricing: of(
    () => PriceSourceEnum,
    'Where its prices, payments, status and quantity come from: ENGINE once a tranche names it',
  ),
}) {}

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
export class SeriesFilter extends inputs({
  ...issueFilter('series', {
    of: 'of operations ',
    indexed: 'one of these indexers',
    volume: 'total issued amount',
    operation: ' of the operation',
  }),
  operationTickers: nullable.texts('Only series of operations with one of these tickers, in any case'),
  operationTypes: nullable.list(() => OperationTypeEnum, 'Only series of operations of these types'),
  riskClasses: nullable.list(() => RiskClassEnum, 'Only series of these risk classes'),
}) {}

@InputType({ description: 'Sort order of a list of series.' })
export class SeriesSort extends inputs({
  field: of(() => SeriesSortFieldEnum, 'Field by which the list is sorted'),
  direction: of(() => SortDirectionEnum, 'Direction of sorting', { defaultValue: 'ASC' }),
}) {}

@ArgsType()
export class SeriesListArgs extends args({
  ...ofPage(),
  filter: nullable.of(() => SeriesFilter, 'Restricts the list; the series of all public operations when omitted'),
  sort: nullable.of(() => SeriesSort, 'Sort order; by ticker when omitted'),
}) {}

export const SeriesConnection = connectionType(Series, { name: 'Series', nodes: 'series' });
