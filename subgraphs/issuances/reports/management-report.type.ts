import { Field, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import {
  AgingSection,
  ConcentrationSection,
  PortfolioSection,
  ProvisioningSection,
} from './management-report-portfolio.type.js';
import { CovenantLine, LtvSection, PrepaymentSection, SubordinationSection } from './management-report-risk.type.js';

// The REST view: display strings in Brazilian format, with the names of docs/contract/issuances.md §4.4.

@ObjectType({ simpleResolvers: true, description: 'Where the management report of a month stands.' })
export class ReportMonthDetail {
  @Field(() => String, { description: 'Month, `YYYY-MM`' })
  month!: string;

  @Field(() => String, {
    description:
      '`preliminar` until the positions of the month are complete, and computed when it is read; then `final`',
  })
  situacao!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Newest version: 1, and one more each time the report was issued again; null while it is preliminary',
  })
  versao!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When that version was made (UTC); null while it is preliminary',
  })
  generatedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether what it is made of (positions of the month, write-offs, prices in force at its end) was published after that version; false while it is preliminary',
  })
  dataChanged!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The months of which an operation has a management report.' })
export class ReportMonths {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => [String], { description: 'Months, `YYYY-MM`, newest first' })
  months!: readonly string[];

  @Field(() => [ReportMonthDetail], { description: 'The same months in the same order, with where each one stands' })
  details!: readonly ReportMonthDetail[];
}

@ObjectType({ simpleResolvers: true, description: 'The public cut of the management report of an operation.' })
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
    description: 'Version of a final month: 1, and one more each time it was issued again; else null',
  })
  versao!: number | null;

  @Field(() => String, { nullable: true, description: 'Why this version was issued; null for the first one' })
  motivo!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether what it is made of (positions of the month, write-offs, prices in force at its end) was published after this version; false where it follows the data',
  })
  dataChanged!: boolean;

  @Field(() => DateTimeScalar, { description: 'When it was made (UTC)' })
  generatedAt!: Date;

  @Field(() => String, { description: "The day that it is about, `DD/MM/YYYY`: today, or the month's last day" })
  position!: string;

  @Field(() => PortfolioSection, { description: 'The portfolio added up' })
  carteira!: PortfolioSection;

  @Field(() => ConcentrationSection, { description: 'How much depends on few debtors' })
  concentracao!: ConcentrationSection;

  @Field(() => AgingSection, { description: 'Balance by days late' })
  aging!: AgingSection;

  @Field(() => ProvisioningSection, { description: 'Expected losses by days late' })
  provisionamento!: ProvisioningSection;

  @Field(() => LtvSection, { description: 'Balance over the value of the collateral' })
  ltv!: LtvSection;

  @Field(() => PrepaymentSection, { description: 'How fast debtors pay ahead of schedule' })
  prePagamento!: PrepaymentSection;

  @Field(() => [CovenantLine], { description: 'What the deed promises, tested' })
  covenants!: readonly CovenantLine[];

  @Field(() => SubordinationSection, { description: 'What stands below the senior series' })
  subordinacao!: SubordinationSection;
}
