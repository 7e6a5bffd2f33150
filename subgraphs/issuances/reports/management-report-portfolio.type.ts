import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'The credits with one indexer.' })
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

@ObjectType({ simpleResolvers: true, description: 'A portfolio of credits added up.' })
export class PortfolioSection {
  @Field(() => String, {
    nullable: true,
    description: 'The last day on which balances are known, `DD/MM/YYYY`; null without credits',
  })
  dataBase!: string | null;

  @Field(() => Int, { description: 'Credits with a balance' })
  contratos!: number;

  @Field(() => Int, { description: 'Their debtors' })
  devedores!: number;

  @Field(() => String, { description: 'Outstanding balance: `R$ 1.234.567,89`' })
  saldoDevedor!: string;

  @Field(() => String, { description: 'What these credits were worth at the start' })
  valorOriginal!: string;

  @Field(() => String, { nullable: true, description: 'Average balance of a credit' })
  ticketMedio!: string | null;

  @Field(() => Int, { nullable: true, description: 'Calendar days to maturity, weighted by balance' })
  prazoMedioDias!: number | null;

  @Field(() => String, { description: 'Balance of the credits that are late' })
  saldoVencido!: string;

  @Field(() => String, { description: 'Their share: `4,1234%`' })
  inadimplencia!: string;

  @Field(() => [RateLine], { description: 'By indexer' })
  taxas!: readonly RateLine[];

  @Field(() => Int, { description: 'Credits that were paid off' })
  contratosLiquidados!: number;

  @Field(() => Int, { description: 'Credits that were written off' })
  contratosBaixados!: number;

  @Field(() => String, { description: 'Balance that was written off; not in the portfolio' })
  saldoBaixado!: string;
}

@ObjectType({ simpleResolvers: true, description: 'The largest debtors together.' })
export class LargestDebtors {
  @Field(() => Int, { description: 'How many: 1, 5, 10 or 20' })
  devedores!: number;

  @Field(() => String, { description: 'Their balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Their share of the portfolio: `12,3456%`' })
  participacao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'How much depends on few debtors.' })
export class ConcentrationSection {
  @Field(() => [LargestDebtors], { description: 'The largest 1, 5, 10 and 20 debtors' })
  maiores!: readonly LargestDebtors[];

  @Field(() => String, {
    description:
      "Herfindahl-Hirschman index, the sum of the squares of the debtors' shares in percent: from `0,00` to `10.000,00` (a single debtor)",
  })
  hhi!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What is so many days late.' })
export class AgingBand {
  @Field(() => String, { description: 'A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+' })
  faixa!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Their balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of the portfolio; the shares add up to 100,00%' })
  participacao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance by days late.' })
export class AgingSection {
  @Field(() => [AgingBand], { description: 'Every band, the empty ones too' })
  faixas!: readonly AgingBand[];
}

@ObjectType({ simpleResolvers: true, description: 'What is provisioned for credits so many days late.' })
export class ProvisioningLine {
  @Field(() => String, { description: 'Risk class: AA to H, or a name of the operation’s own matrix' })
  classe!: string;

  @Field(() => Int, { description: 'From how many days late' })
  diasDe!: number;

  @Field(() => Int, { nullable: true, description: 'To how many days late; null for the open end' })
  diasAte!: number | null;

  @Field(() => String, { description: 'Provisioned share: `10,00%`' })
  percentual!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Their balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'What is provisioned for them' })
  provisao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
export class ProvisioningSection {
  @Field(() => String, {
    description:
      'Resolução 2.682 (risk classes AA to H of Resolução CMN 2.682/1999, the rule of the house), or Operação for a matrix of the operation’s own',
  })
  matriz!: string;

  @Field(() => [ProvisioningLine], { description: 'Every class, the empty ones too' })
  faixas!: readonly ProvisioningLine[];

  @Field(() => String, { description: 'All that is provisioned' })
  total!: string;

  @Field(() => String, { description: 'The same over the balance of the portfolio: `2,3456%`' })
  percentual!: string;
}
