import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Report } from './report-schema.js';
import { ProvisioningMatrixEnum } from './report.enum.js';

@ObjectType({ simpleResolvers: true, description: 'The credits with one indexer.' })
export class PortfolioRate {
  @Field(() => String, { description: 'Indexer' })
  indexer!: string;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the balance, in percent; the shares add up to 100.00' })
  share!: string;

  @Field(() => DecimalScalar, { description: 'Fixed rate or spread in percent per year, weighted by balance' })
  averageRate!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A portfolio of credits added up.' })
export class PortfolioTotals {
  @Field(() => DateScalar, {
    nullable: true,
    description: 'The last day on which balances are known; null without credits',
  })
  baseDate!: string | null;

  @Field(() => Int, { description: 'Credits with a balance' })
  contracts!: number;

  @Field(() => Int, { description: 'Their debtors' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Outstanding balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'What these credits were worth at the start' })
  originalValue!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Average balance of a credit' })
  averageTicket!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Calendar days to maturity, weighted by balance' })
  averageTermDays!: string | null;

  @Field(() => DecimalScalar, { description: 'Balance of the credits that are late' })
  overdueBalance!: string;

  @Field(() => DecimalScalar, { description: 'Their share, in percent' })
  overdueShare!: string;

  @Field(() => [PortfolioRate], { description: 'By indexer' })
  rates!: readonly PortfolioRate[];

  @Field(() => Int, { description: 'Credits that were paid off' })
  settledContracts!: number;

  @Field(() => Int, { description: 'Credits that were written off' })
  writtenOffContracts!: number;

  @Field(() => DecimalScalar, { description: 'Balance that was written off; not in the portfolio' })
  writtenOffBalance!: string;
}

@ObjectType({ simpleResolvers: true, description: 'The largest debtors together.' })
export class LargestDebtorGroup {
  @Field(() => Int, { description: 'How many: 1, 5, 10 or 20' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Their share of the portfolio, in percent' })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'How much depends on few debtors.' })
export class DebtorConcentration {
  @Field(() => [LargestDebtorGroup], { description: 'The largest 1, 5, 10 and 20 debtors' })
  largest!: readonly LargestDebtorGroup[];

  @Field(() => DecimalScalar, {
    description:
      "Herfindahl-Hirschman index: the sum of the squares of the debtors' shares in percent, from 0 to 10000 (a single debtor)",
  })
  hhi!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What is so many days late.' })
export class PortfolioAgingBand {
  @Field(() => String, { description: 'A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+' })
  label!: string;

  @Field(() => Int, { description: 'From how many days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'To how many days late; null for the open end' })
  toDays!: number | null;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the portfolio, in percent; the shares add up to 100.00' })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What is provisioned for credits so many days late.' })
export class ProvisioningBand {
  @Field(() => String, { description: 'Risk class' })
  label!: string;

  @Field(() => Int, { description: 'From how many days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'To how many days late; null for the open end' })
  toDays!: number | null;

  @Field(() => DecimalScalar, { description: 'Provisioned share, in percent' })
  rate!: string;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'What is provisioned for them' })
  provision!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
export class PortfolioProvisioning {
  @Field(() => ProvisioningMatrixEnum, { description: 'Whose matrix it is' })
  matrix!: Report['provisioning']['matrix'];

  @Field(() => [ProvisioningBand], { description: 'Every class, the empty ones too' })
  bands!: readonly ProvisioningBand[];

  @Field(() => DecimalScalar, { description: 'All that is provisioned' })
  total!: string;

  @Field(() => DecimalScalar, { description: 'The same over the balance of the portfolio, in percent' })
  share!: string;
}
