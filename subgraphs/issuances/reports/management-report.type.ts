import { Field, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import {
  AgingSection,
  ConcentrationSection,
  PortfolioSection,
  ProvisioningSection,
} from './management-report-portfolio.type.js';
import { CovenantLine, LtvSection, PrepaymentSection, SubordinationSection } from './management-report-risk.type.js';

// The REST view: display strings in Brazilian format, names as the decisions page gives them.

@ObjectType({ simpleResolvers: true, description: 'The months of which an operation has a stored management report.' })
export class ReportMonths {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => [String], { description: 'Months, `YYYY-MM`, newest first' })
  months!: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'The public cut of the management report of an operation.' })
export class ManagementReport {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => String, { nullable: true, description: 'Month, `YYYY-MM`; null for the live position of today' })
  month!: string | null;

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
