import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Indexer } from '../../../shared/kernel/format/format.js';
import { percentageText } from '../../../shared/kernel/format/percentage.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';
import { RiskClassEnum } from '../../../shared/securities/risk-class.enum.js';
import { IndexerEnum } from '../../../shared/securities/indexer.enum.js';
import { dayCounts, type DayCount } from '../unit-price/day-count.js';
import type { IndexBase, IndexProRata } from '../unit-price/index-bases.js';
import type { TrancheRow } from './tranche.store.js';
import { DayCountBasisEnum, DayCountEnum, IndexBaseEnum, IndexProRataEnum, TrancheStatusEnum } from './tranche.enum.js';
import { currentPrice, graphIndexers, totalValue, type TrancheStatus } from './tranche.js';

// The resolvers of its estate, prices and schedule add these fields.
@ObjectType({ simpleResolvers: true, description: 'A series (tranche) issued in an estate, whose units are tokens.' })
@Directive('@key(fields: "id")')
@Directive('@key(fields: "ticker")')
export class Tranche {
  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => TrancheStatusEnum, { description: 'Status of the series' })
  status!: TrancheStatus;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  className!: RiskClass;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Current price of a token with its accrued interest (dirty PU), 8 decimals. Until the day on which remuneration begins it is the issue price; 0.00000000 once the series is repaid or CLOSED; null when remuneration has begun and no price was calculated yet',
  })
  unitPrice!: string | null;

  @Field(() => String, { description: 'Number of tokens, an integer' })
  tokenQuantity!: string;

  @Field(() => DateScalar, { description: 'First day of remuneration' })
  remunerationStartDate!: string;

  @Field(() => DecimalScalar, {
    description: 'Annual rate in percent, 2 to 8 decimals; the spread when the series follows an index',
  })
  remunerationPercentagePerYear!: string;

  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Unit price without accrued interest (clean PU), 8 decimals; null when `unitPrice` is',
  })
  nominalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Accrued interest of a token, 8 decimals; null when `unitPrice` is',
  })
  interestJ!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of `unitPrice`; null until a price was calculated' })
  pricedOn!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Number that is missing for the newest price, such as `IPCA 2026-03` or `DI 2026-03-05`; null when none is missing',
  })
  missingInput!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: '`tokenQuantity` times `unitPrice`, 2 decimals; null when `unitPrice` is',
  })
  totalValue!: string | null;

  @Field(() => DecimalScalar, { description: 'Amount paid in by investors, 2 decimals' })
  investedAmount!: string;

  @Field(() => DecimalScalar, { description: 'Value of a unit at issue, 8 decimals' })
  issueValue!: string;

  @Field(() => DayCountBasisEnum, {
    description: 'CIVIL: calendar days over 365 or 360, according to the series. BUS252: business days over 252',
  })
  dayCountBasis!: 'CIVIL' | 'BUS252';

  @Field(() => DayCountEnum, { description: 'Day count: counted days, and days of a year' })
  dayCount!: DayCount;

  @Field(() => IndexerEnum, { description: 'Index of the remuneration, besides the rate' })
  indexer!: Indexer;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Percentage of the DI rate that is paid; null without DI',
  })
  diPercentage!: string | null;

  @Field(() => IndexBaseEnum, {
    nullable: true,
    description: 'Day from which the factor of its price index runs, according to its deed; null without a price index',
  })
  indexBase!: IndexBase | null;

  @Field(() => IndexProRataEnum, {
    nullable: true,
    description:
      'Days over which the variation of a month of its price index is distributed; null without a price index',
  })
  indexProRata!: IndexProRata | null;
}

/** A series as resolvers pass it on: the visible fields, and what its estate, its series and due payments are found by. */
export type TrancheShape = Shape<Tranche> &
  Pick<Readonly<TrancheRow>, 'patrimonyId' | 'seriesTicker' | 'amortizationOf'>;

/**
 * Converts a row to the GraphQL type.
 * @param today civil date in São Paulo
 */
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
  };
}
