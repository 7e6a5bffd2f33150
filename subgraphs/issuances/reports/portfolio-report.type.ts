import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, MonthScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import {
  DebtorConcentration,
  PortfolioAgingBand,
  PortfolioProvisioning,
  PortfolioTotals,
} from './portfolio-sections.type.js';
import type { DatedReport } from './report.store.js';
import { LoanToValue, PrepaymentSpeed, SeriesSubordination, TestedCovenant } from './risk-sections.type.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The public cut of the management report of an operation, in raw values.',
})
export class PortfolioReport {
  @Field(() => MonthScalar, { nullable: true, description: 'Its month; null for the live position of today' })
  month!: string | null;

  @Field(() => DateScalar, { description: "The day that it is about: today, or the month's last day" })
  position!: string;

  @Field(() => DateTimeScalar, { description: 'When it was made' })
  generatedAt!: Date;

  @Field(() => PortfolioTotals, { description: 'The portfolio added up' })
  portfolio!: PortfolioTotals;

  @Field(() => DebtorConcentration, { description: 'How much depends on few debtors' })
  concentration!: DebtorConcentration;

  @Field(() => [PortfolioAgingBand], { description: 'Balance by days late; every band, the empty ones too' })
  aging!: readonly PortfolioAgingBand[];

  @Field(() => PortfolioProvisioning, { description: 'Expected losses by days late' })
  provisioning!: PortfolioProvisioning;

  @Field(() => LoanToValue, { description: 'Balance over the value of the collateral' })
  ltv!: LoanToValue;

  @Field(() => PrepaymentSpeed, { description: 'How fast debtors pay ahead of schedule' })
  prepayment!: PrepaymentSpeed;

  @Field(() => [TestedCovenant], { description: 'What the deed promises, tested' })
  covenants!: readonly TestedCovenant[];

  @Field(() => SeriesSubordination, { description: 'What stands below the senior series' })
  subordination!: SeriesSubordination;
}

/** A report in raw values; `month` is null for the live one. */
export function toPortfolioReport(month: string | null, { report, generatedAt }: DatedReport): Shape<PortfolioReport> {
  return { month, generatedAt, ...report };
}
