import { ArgsType, InputType, ObjectType, Directive } from 'type-graphql';
import { SortDirectionEnum } from '../../../shared/graphql/sorted-list.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import type { TrancheSortField } from './tranche-list.js';
import { RiskClassEnum } from '../../securities/risk-class.js';
import { IndexerEnum } from '../../securities/indexer.js';
import {
  type LateInterestMode,
  type TrancheStatus,
  currentPrice,
  graphIndexers,
  lateInterestModes,
  totalValue,
} from './tranche.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { DayCountEnum, dayCounts } from '../../securities/day-count.js';
import {
  type IndexBase,
  type IndexProRata,
  type ProjectionClause,
  indexBases,
  indexProRatas,
  projectionClauses,
} from '../unit-price/index-bases.js';
import type { TrancheRow } from './tranche.store.js';
import { args, day, decimal, fields, flag, id, inputs, nullable, of, text } from '../../../shared/graphql/fields.js';

// The resolvers of its estate, prices and schedule add these fields.
@ObjectType({ simpleResolvers: true, description: 'A series (tranche) issued in an estate, whose units are tokens.' })
@Directive('@key(fields: "id")')
@Directive('@key(fields: "ticker")')
export class Tranche extends fields({
  ticker: text('Ticker, unique without regard to case'),
  name: text('Name'),
  status: of(() => TrancheStatusEnum, 'Status of the series'),
  className: of(() => RiskClassEnum, 'Risk class'),
  unitPrice: nullable.decimal(
    'Current price of a token with its accrued interest (dirty PU), 8 decimals. Until the day on which remuneration begins it is the issue price; 0.00000000 once the series is repaid or CLOSED; null when remuneration has begun and no price was calculated yet',
  ),
  tokenQuantity: text('Number of tokens, an integer'),
  remunerationStartDate: day('First day of remuneration'),
  remunerationPercentagePerYear: decimal(
    'Annual rate in percent, 2 to 8 decimals; the spread when the series follows an index',
  ),
  id: id('Id (UUID)'),
  nominalValue: nullable.decimal(
    'Unit price without accrued interest (clean PU), 8 decimals; null when `unitPrice` is',
  ),
  interestJ: nullable.decimal('Accrued interest of a token, 8 decimals; null when `unitPrice` is'),
  pricedOn: nullable.day('Day of `unitPrice`; null until a price was calculated'),
  projected: flag('Whether `unitPrice` was made with a projection of an index number that was not published'),
  missingInput: nullable.text(
    'Number that is missing for the newest price, such as `IPCA 2026-03` or `DI 2026-03-05`; null when none is missing',
  ),
  totalValue: nullable.decimal(
    '`tokenQuantity` times `unitPrice`, 2 decimals, truncated as payments are; null when `unitPrice` is',
  ),
  investedAmount: decimal('Amount paid in by investors, 2 decimals'),
  issueValue: decimal('Value of a unit at issue, 8 decimals'),
  dayCountBasis: of(
    () => DayCountBasisEnum,
    'CIVIL: calendar days over 365 or 360, according to the series. BUS252: business days over 252',
  ),
  dayCount: of(() => DayCountEnum, 'Day count: counted days, and days of a year'),
  indexer: of(() => IndexerEnum, 'Index of the remuneration, besides the rate'),
  diPercentage: nullable.decimal('Percentage of the DI rate that is paid; null without DI'),
  indexBase: nullable.of(
    () => IndexBaseEnum,
    'Day from which the factor of its price index runs, according to its deed; null without a price index',
  ),
  indexProRata: nullable.of(
    () => IndexProRataEnum,
    'Days over which the variation of a month of its price index is distributed; null without a price index',
  ),
  projection: nullable.of(
    () => IndexProjectionEnum,
    'What its deed says of the days before an index number is published; null without a price index',
  ),
  lateFinePercent: nullable.decimal(
    'Fine for a late payment, in percent of what is unpaid after the due day; null when its deed has none',
  ),
  lateInterestPercent: nullable.decimal('Interest for a late payment, in percent a month; null when its deed has none'),
  lateInterestMode: nullable.of(
    () => LateInterestModeEnum,
    'Counting of the days of `lateInterestPercent`; null without it',
  ),
}) {}

/** A series as resolvers pass it on: the visible fields, and what its estate, its series and due payments are found by. */
export type TrancheShape = Shape<Tranche> &
  Pick<Readonly<TrancheRow>, 'patrimonyId' | 'seriesTicker' | 'amortizationOf'>;

/** @param today civil date in São Paulo */
export function toTranche(row: TrancheRow, today: string): TrancheShape {
  const price = currentPrice(row, today);
  return {
    ...row,
    unitPrice: price?.unitPrice ?? null,
    nominalValue: price?.nominalValue ?? null,
    interestJ: price?.interest ?? null,
    totalValue: price === undefined ? null : totalValue(row.tokenQuantity, price),
    remunerationPercentagePerYear: percentageText(row.rate),
    dayCountBasis: dayCounts[row.dayCount].basis,
    indexer: graphIndexers[row.indexer],
    diPercentage: row.diPercentage === null ? null : percentageText(row.diPercentage),
    lateFinePercent: row.lateFinePercent === null ? null : percentageText(row.lateFinePercent),
    lateInterestPercent: row.lateInterestPercent === null ? null : percentageText(row.lateInterestPercent),
  };
}

@InputType({
  description:
    'Filter of a list of series. All given fields must match; a field that is omitted or an empty list does not restrict the list.',
})
export class TrancheFilter extends inputs({
  status: nullable.of(() => TrancheStatusEnum, 'Only series with this status, in addition to `statuses`'),
  statuses: nullable.list(() => TrancheStatusEnum, 'Only series with one of these statuses'),
  patrimonyTicker: nullable.text('Only series of the estate with this ticker, in any case'),
  seriesTicker: nullable.text(
    'Only series whose tokens represent units of the series of an operation with this ticker, in any case',
  ),
  tickers: nullable.texts('Only series with one of these tickers, in any case; those that do not exist are ignored'),
  riskClasses: nullable.list(() => RiskClassEnum, 'Only series of these risk classes'),
  indexers: nullable.list(() => IndexerEnum, 'Only series with one of these indexers'),
  maturityFrom: nullable.day('Only series whose last instalment is due on this day or later'),
  maturityTo: nullable.day('Only series whose last instalment is due on this day or earlier'),
  volumeFrom: nullable.decimal(
    'Only series with at least this issued volume, which is `issueValue` times `tokenQuantity`, in BRL',
  ),
  volumeTo: nullable.decimal(
    'Only series with at most this issued volume, which is `issueValue` times `tokenQuantity`, in BRL',
  ),
}) {}

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
export class TrancheSort extends inputs({
  field: of(() => TrancheSortFieldEnum, 'Field by which the list is sorted'),
  direction: of(() => SortDirectionEnum, 'Direction of sorting', { defaultValue: 'ASC' }),
}) {}

@ArgsType()
export class TrancheConnectionArgs extends args({
  ...ofPage(),
  filter: nullable.of(() => TrancheFilter, 'Restricts the list; all series when omitted'),
  sort: nullable.of(() => TrancheSort, 'Sort order; by ticker when omitted'),
}) {}

export const TrancheConnection = connectionType(Tranche, { name: 'Tranche', nodes: 'series', documented: 'token' });

@ObjectType({ simpleResolvers: true, description: 'How the pages of a series and of its estate are addressed.' })
export class TrancheAddress extends fields({
  ticker: text('Ticker of the series'),
  patrimonyTicker: text('Ticker of its estate'),
}) {}

export const TrancheStatusEnum = describeEnum<TrancheStatus>(
  'TrancheStatus',
  'Status of a series.',
  {
    DRAFT: 'Being set up',
    ACTIVE: 'In force',
    FUNDRAISING: 'Offered to investors',
    CLOSED: 'Ended',
  },
  {
    DRAFT: ['Em estruturação', 'Draft'],
    ACTIVE: ['Ativa', 'Active'],
    FUNDRAISING: ['Em captação', 'Fundraising'],
    CLOSED: ['Encerrada', 'Closed'],
  },
);

const DayCountBasisEnum = describeEnum<'CIVIL' | 'BUS252'>(
  'DayCountBasis',
  'Days that are counted for the interest of a series.',
  {
    CIVIL: 'Calendar days, over 365 or 360 according to the series',
    BUS252: 'Business days, over 252',
  },
  { CIVIL: ['Dias corridos', 'Calendar days'], BUS252: ['Dias úteis/252', 'Business days/252'] },
);

export const IndexBaseEnum = describeEnum<IndexBase>(
  'IndexBase',
  'Day from which the factor of a price index runs: on that day the updated value became the nominal value, which the factor multiplies.',
  indexBases,
  {
    START: ['Início da série', 'Start of the series'],
    YEARLY: ['Último aniversário anual', 'Last yearly anniversary'],
    ANNIVERSARY: ['Último aniversário mensal', 'Last monthly anniversary'],
    LAST_EVENT: ['Último evento', 'Last event'],
  },
);

export const LateInterestModeEnum = describeEnum<LateInterestMode>(
  'LateInterestMode',
  'Counting of the days of interest for a late payment.',
  lateInterestModes,
  { SIMPLE_30: ['Simples, dias/30', 'Simple, days/30'], COMPOUND: ['Composta, dias/30', 'Compound, days/30'] },
);

export const IndexProRataEnum = describeEnum<IndexProRata>(
  'IndexProRata',
  'Days over which the variation of a month of a price index is distributed.',
  indexProRatas,
  {
    BUSINESS_DAYS: ['Dias úteis', 'Business days'],
    CALENDAR_DAYS: ['Dias corridos', 'Calendar days'],
    CALENDAR_DAYS_FOLLOWING: [
      'Dias corridos, aniversário no dia útil seguinte',
      'Calendar days, anniversary on the following business day',
    ],
  },
);

export const IndexProjectionEnum = describeEnum<ProjectionClause>(
  'IndexProjection',
  'What a deed says of the days before the number of its price index is published.',
  projectionClauses,
  {
    PROVISIONAL: ['Projeção provisória, sem compensação', 'Provisional projection, without compensation'],
    NONE: ['Sem preço até a publicação', 'No price until the publication'],
    SETTLED_BY_DIFFERENCE: ['Projeção, corrigida após a publicação', 'Projection, corrected after the publication'],
  },
);
