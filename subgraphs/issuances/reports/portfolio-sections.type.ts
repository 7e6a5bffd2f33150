import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Report } from './report-schema.js';
import { ProvisioningMatrixEnum } from './risk-sections.type.js';

@ObjectType({ simpleResolvers: true, description: 'Totals of the credits with one indexer.' })
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

@ObjectType({ simpleResolvers: true, description: 'Totals of a portfolio of credits.' })
export class PortfolioTotals {
  @Field(() => DateScalar, {
    nullable: true,
    description: 'Last day on which balances are known; null without credits',
  })
  baseDate!: string | null;

  @Field(() => Int, { description: 'Number of credits with a balance' })
  contracts!: number;

  @Field(() => Int, { description: 'Number of their debtors' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Outstanding balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Total original value of these credits' })
  originalValue!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Average balance of a credit' })
  averageTicket!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Calendar days to maturity, weighted by balance' })
  averageTermDays!: string | null;

  @Field(() => DecimalScalar, { description: 'Balance of the credits that are late' })
  overdueBalance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the overdue balance, in percent' })
  overdueShare!: string;

  @Field(() => [PortfolioRate], { description: 'Totals by indexer' })
  rates!: readonly PortfolioRate[];

  @Field(() => Int, { description: 'Number of credits that were paid off' })
  settledContracts!: number;

  @Field(() => Int, { description: 'Number of credits that were written off' })
  writtenOffContracts!: number;

  @Field(() => DecimalScalar, { description: 'Written-off balance, which is not part of the portfolio' })
  writtenOffBalance!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Totals of the largest debtors.' })
export class LargestDebtorGroup {
  @Field(() => Int, { description: 'Number of debtors: 1, 5, 10 or 20' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the portfolio of these debtors, in percent' })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Concentration of the portfolio in few debtors.' })
export class DebtorConcentration {
  @Field(() => [LargestDebtorGroup], { description: 'Totals of the largest 1, 5, 10 and 20 debtors' })
  largest!: readonly LargestDebtorGroup[];

  @Field(() => DecimalScalar, {
    description:
      "Herfindahl-Hirschman index: the sum of the squares of the debtors' shares in percent, from 0 to 10000 (a single debtor)",
  })
  hhi!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance in a band of days late.' })
export class PortfolioAgingBand {
  @Field(() => String, { description: 'A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+' })
  label!: string;

  @Field(() => Int, { description: 'First number of days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'Last number of days late; null for the open end' })
  toDays!: number | null;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the portfolio, in percent; the shares add up to 100.00' })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Provision for the credits in a band of days late.' })
export class ProvisioningBand {
  @Field(() => String, { description: 'Risk class' })
  label!: string;

  @Field(() => Int, { description: 'First number of days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'Last number of days late; null for the open end' })
  toDays!: number | null;

  @Field(() => DecimalScalar, { description: 'Provisioned share, in percent' })
  rate!: string;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Provision for these credits' })
  provision!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
export class PortfolioProvisioning {
  @Field(() => ProvisioningMatrixEnum, { description: 'Origin of the matrix' })
  matrix!: Report['provisioning']['matrix'];

  @Field(() => [ProvisioningBand], { description: 'All classes, including empty ones' })
  bands!: readonly ProvisioningBand[];

  @Field(() => DecimalScalar, { description: 'Total provision' })
  total!: string;

  @Field(() => DecimalScalar, { description: 'Total provision relative to the balance of the portfolio, in percent' })
  share!: string;
}
