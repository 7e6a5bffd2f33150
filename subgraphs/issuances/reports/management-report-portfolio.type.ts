import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Totals of the credits with one indexer.' })
export class RateLine {
  @Field(() => String, { description: 'Indexer: Prefixado, CDI, IPCA…' })
  indexador!: string;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of the balance; the shares add up to 100,00%' })
  participacao!: string;

  @Field(() => String, { description: 'Fixed rate or spread, weighted by balance: `12,5000% a.a.`' })
  taxaMedia!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Totals of a portfolio of credits.' })
export class PortfolioSection {
  @Field(() => String, {
    nullable: true,
    description: 'Last day on which balances are known, `DD/MM/YYYY`; null without credits',
  })
  dataBase!: string | null;

  @Field(() => Int, { description: 'Number of credits with a balance' })
  contratos!: number;

  @Field(() => Int, { description: 'Number of their debtors' })
  devedores!: number;

  @Field(() => String, { description: 'Outstanding balance: `R$ 1.234.567,89`' })
  saldoDevedor!: string;

  @Field(() => String, { description: 'Total original value of these credits' })
  valorOriginal!: string;

  @Field(() => String, { nullable: true, description: 'Average balance of a credit' })
  ticketMedio!: string | null;

  @Field(() => Int, { nullable: true, description: 'Calendar days to maturity, weighted by balance' })
  prazoMedioDias!: number | null;

  @Field(() => String, { description: 'Balance of the credits that are late' })
  saldoVencido!: string;

  @Field(() => String, { description: 'Share of the overdue balance: `4,1234%`' })
  inadimplencia!: string;

  @Field(() => [RateLine], { description: 'Totals by indexer' })
  taxas!: readonly RateLine[];

  @Field(() => Int, { description: 'Number of credits that were paid off' })
  contratosLiquidados!: number;

  @Field(() => Int, { description: 'Number of credits that were written off' })
  contratosBaixados!: number;

  @Field(() => String, { description: 'Written-off balance, which is not part of the portfolio' })
  saldoBaixado!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Totals of the largest debtors.' })
export class LargestDebtors {
  @Field(() => Int, { description: 'Number of debtors: 1, 5, 10 or 20' })
  devedores!: number;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Their share of the portfolio: `12,3456%`' })
  participacao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Concentration of the portfolio in few debtors.' })
export class ConcentrationSection {
  @Field(() => [LargestDebtors], { description: 'Totals of the largest 1, 5, 10 and 20 debtors' })
  maiores!: readonly LargestDebtors[];

  @Field(() => String, {
    description:
      "Herfindahl-Hirschman index, the sum of the squares of the debtors' shares in percent: from `0,00` to `10.000,00` (a single debtor)",
  })
  hhi!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance in a band of days late.' })
export class AgingBand {
  @Field(() => String, { description: 'A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+' })
  faixa!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of the portfolio; the shares add up to 100,00%' })
  participacao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance by days late.' })
export class AgingSection {
  @Field(() => [AgingBand], { description: 'All bands, including empty ones' })
  faixas!: readonly AgingBand[];

  @Field(() => AgingBand, { description: 'The bands of more than 90 days together' })
  acimaDe90Dias!: AgingBand;
}

@ObjectType({ simpleResolvers: true, description: 'Provision for the credits in a band of days late.' })
export class ProvisioningLine {
  @Field(() => String, { description: 'Risk class: AA to H, or a name from the matrix of the operation' })
  classe!: string;

  @Field(() => Int, { description: 'First number of days late' })
  diasDe!: number;

  @Field(() => Int, { nullable: true, description: 'Last number of days late; null for the open end' })
  diasAte!: number | null;

  @Field(() => String, { description: 'Provisioned share: `10,00%`' })
  percentual!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Provision for these credits' })
  provisao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
export class ProvisioningSection {
  @Field(() => String, {
    description:
      'Resolução 2.682 (risk classes AA to H of Resolução CMN 2.682/1999, the default), or Operação for a matrix of the operation',
  })
  matriz!: string;

  @Field(() => [ProvisioningLine], { description: 'All classes, including empty ones' })
  faixas!: readonly ProvisioningLine[];

  @Field(() => String, { description: 'Total provision' })
  total!: string;

  @Field(() => String, { description: 'Total provision relative to the balance of the portfolio: `2,3456%`' })
  percentual!: string;
}
