import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import {
  AgingSection,
  ConcentrationSection,
  PortfolioSection,
  ProvisioningSection,
} from './management-report-portfolio.type.js';
import { CovenantLine, LtvSection, PrepaymentSection, SubordinationSection } from './management-report-risk.type.js';
import { PortfolioReport } from './portfolio-report.type.js';

// The REST view: display strings in Brazilian format, with the names of docs/contract/issuances.md §4.4.

@ObjectType({ simpleResolvers: true, description: 'State of the management report of a month.' })
export class ReportMonthDetail {
  @Field(() => String, { description: 'Month, `YYYY-MM`' })
  month!: string;

  @Field(() => String, {
    description:
      '`preliminar` until the positions of the month are complete, during which it is computed at each request; then `final`',
  })
  situacao!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary',
  })
  versao!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which that version was created (UTC); null while the report is preliminary',
  })
  generatedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version; false while the report is preliminary',
  })
  dataChanged!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The months for which an operation has a management report.' })
export class ReportMonths {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => [String], { description: 'Months, `YYYY-MM`, newest first' })
  months!: readonly string[];

  @Directive('@listSize(assumedSize: 60)')
  @Field(() => [ReportMonthDetail], { description: 'The same months in the same order, with the state of each report' })
  details!: readonly ReportMonthDetail[];
}

@ObjectType({ simpleResolvers: true, description: 'The public part of the management report of an operation.' })
export class ManagementReport {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => String, { nullable: true, description: 'Month, `YYYY-MM`; null for the live position of today' })
  month!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`preliminar` until the positions of the month are complete, then `final`; null for the live position',
  })
  situacao!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Version of a final report, from 1, which each reissue increases by one; null otherwise',
  })
  versao!: number | null;

  @Field(() => String, { nullable: true, description: 'Reason for the reissue; null for the first version' })
  motivo!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version; false when the report follows the data',
  })
  dataChanged!: boolean;

  @Field(() => DateTimeScalar, { description: 'Time at which it was created (UTC)' })
  generatedAt!: Date;

  @Field(() => String, { description: 'Day of the report, `DD/MM/YYYY`: today, or the last day of the month' })
  position!: string;

  @Field(() => PortfolioSection, { description: 'Totals of the portfolio' })
  carteira!: PortfolioSection;

  @Field(() => ConcentrationSection, { description: 'Concentration in few debtors' })
  concentracao!: ConcentrationSection;

  @Field(() => AgingSection, { description: 'Balance by days late' })
  aging!: AgingSection;

  @Field(() => ProvisioningSection, { description: 'Expected losses by days late' })
  provisionamento!: ProvisioningSection;

  @Field(() => LtvSection, { description: 'Balance over the value of the collateral' })
  ltv!: LtvSection;

  @Field(() => PrepaymentSection, { description: 'Speed at which debtors pay ahead of schedule' })
  prePagamento!: PrepaymentSection;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [CovenantLine], { description: 'Tests of the covenants of the deed' })
  covenants!: readonly CovenantLine[];

  @Field(() => SubordinationSection, { description: 'Subordination to the senior series' })
  subordinacao!: SubordinationSection;

  @Field(() => PortfolioReport, { description: 'The same report in raw values: decimals, and dates as `YYYY-MM-DD`' })
  numeros!: PortfolioReport;
}
