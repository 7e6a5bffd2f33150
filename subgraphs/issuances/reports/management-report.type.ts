import 'reflect-metadata';
import { Directive, Field, Int, ObjectType } from 'type-graphql';

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

@ObjectType({
  simpleResolvers: true,
  description:
    'Delinquency of the credits whose oldest unpaid instalment is more than some days late: by their whole balance, and by their overdue instalments only.',
})
export class DelinquencyLine {
  @Field(() => Int, { description: 'Days late above which a credit counts: 0, 30, 60 or 90' })
  acimaDeDias!: number;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Whole balance of these credits, also what is not due yet: `R$ 1.234.567,89`' })
  saldoContratos!: string;

  @Field(() => String, {
    nullable: true,
    description: 'That balance relative to the portfolio: `4,1234%`; null for an empty portfolio',
  })
  participacaoContratos!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Instalments of these credits that are due and unpaid; null while the amount of one of them is not known',
  })
  parcelasVencidas!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'These instalments relative to the balance of the portfolio; null where they are, and for an empty portfolio',
  })
  participacaoParcelas!: string | null;
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

  @Field(() => String, {
    description: 'Whole balance of the credits that are at least one day late, also what is not due yet',
  })
  saldoVencido!: string;

  @Field(() => String, { description: 'That balance relative to the portfolio: `4,1234%`' })
  inadimplencia!: string;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [DelinquencyLine], {
    description:
      'Delinquency by balance of the credits in arrears and by overdue instalments, over 0, 30, 60 and 90 days',
  })
  inadimplenciaPorAtraso!: readonly DelinquencyLine[];

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
  @Field(() => String, { description: 'Estágio 1, Estágio 2 or Estágio 3, or a name from the matrix of the operation' })
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
      'Resolução BCB 352 (the stages of Resolução CMN 4.966/2021 at the levels of Resolução BCB 352/2023 for credits without collateral, the default), or Operação for a matrix of the operation',
  })
  matriz!: string;

  @Field(() => [ProvisioningLine], { description: 'All bands, including empty ones' })
  faixas!: readonly ProvisioningLine[];

  @Field(() => String, { description: 'Total provision' })
  total!: string;

  @Field(() => String, { description: 'Total provision relative to the balance of the portfolio: `2,3456%`' })
  percentual!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Credits in a band of balance relative to collateral.' })
export class LtvBand {
  @Field(() => String, {
    description: 'Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band',
  })
  faixa!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of the balance that has collateral; the shares add up to 100,00%' })
  participacao!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Loan to value.' })
export class LtvSection {
  @Field(() => String, {
    nullable: true,
    description: 'Balance over collateral: `62,5000%`; null when no credit has collateral',
  })
  ltv!: string | null;

  @Field(() => Int, { description: 'Number of credits with collateral' })
  contratos!: number;

  @Field(() => String, { description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Value of the collateral' })
  valorGarantias!: string;

  @Field(() => String, { description: 'Balance of the credits without collateral' })
  saldoSemGarantia!: string;

  @Field(() => [LtvBand], { description: 'All bands, including empty ones' })
  faixas!: readonly LtvBand[];
}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in one month.' })
export class PrepaymentMonthLine {
  @Field(() => String, { description: 'Month, `MM/YYYY`' })
  mes!: string;

  @Field(() => String, { description: 'Balance at the beginning of the month: `R$ 1.234.567,89`' })
  saldoInicial!: string;

  @Field(() => String, { description: 'Principal due according to the schedule' })
  amortizacaoProgramada!: string;

  @Field(() => String, { description: 'Principal paid ahead of schedule' })
  prePago!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Single monthly mortality: `1,0000%`; null when no balance remained after scheduled principal',
  })
  smm!: string | null;

  @Field(() => String, { nullable: true, description: 'Single monthly mortality as an annual rate' })
  cpr!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Speed at which debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12.',
})
export class PrepaymentSection {
  @Field(() => String, {
    nullable: true,
    description:
      'SMM of the month of the report, null when it has no positions; for the live position, of the latest month with positions: `1,0000%`',
  })
  smm!: string | null;

  @Field(() => String, { nullable: true, description: 'CPR of that month' })
  cpr!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'CPR over 12 months, compounded; null while fewer months have a speed',
  })
  cpr12Meses!: string | null;

  @Field(() => Int, { description: 'How many of the last 12 months have a speed' })
  mesesApurados!: number;

  @Directive('@listSize(assumedSize: 12)')
  @Field(() => [PrepaymentMonthLine], { description: 'The last 12 months, oldest first' })
  meses!: readonly PrepaymentMonthLine[];
}

@ObjectType({ simpleResolvers: true, description: 'Test of a covenant of the deed about a figure of this report.' })
export class CovenantLine {
  @Field(() => String, { description: 'Name' })
  nome!: string;

  @Field(() => String, {
    description: 'mínimo: the figure must not be below the limit; máximo: the figure must not be above it',
  })
  tipo!: string;

  @Field(() => String, { description: 'Limit: `20,0000%`' })
  limite!: string;

  @Field(() => String, { nullable: true, description: 'The figure; null when it cannot be computed' })
  valor!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the figure is within the limit; null when it cannot be computed',
  })
  cumprido!: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Caveat about the test: `Indicador não calculável`, or `Preço unitário desatualizado` when the figure uses a price although a newer one was due; null without a caveat',
  })
  ressalva!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Amount owed to the holders of a series.' })
export class SubordinationLine {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Sênior, Mezanino, Subordinada or Única' })
  classe!: string;

  @Field(() => String, { description: 'Number of units times unit price: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of all series; the shares add up to 100,00%' })
  participacao!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Day of the unit price, `DD/MM/YYYY`; null when it is the unit value at issue',
  })
  dataPu!: string | null;

  @Field(() => Boolean, { description: 'Whether a newer price was due on the day of the report' })
  desatualizado!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'What was due and unpaid beside `saldo`: `R$ 1.234.567,89`; null where it is not known',
  })
  emAtraso!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A series without any amount owed, which is not part of the figures.',
})
export class EndedSeriesLine {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Sênior, Mezanino, Subordinada or Única' })
  classe!: string;

  @Field(() => String, { description: 'Resgatada or Vencida' })
  motivo!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Day on which it ended, `DD/MM/YYYY`; null when only its status says that it ended',
  })
  data!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Subordination to the senior series, of the outstanding series.',
})
export class SubordinationSection {
  @Field(() => String, {
    nullable: true,
    description:
      'Balance of mezzanine and junior series relative to all series: `30,0000%`; null without outstanding series',
  })
  indice!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Balance of the credits relative to the balance of all series: `110,0000%`',
  })
  cobertura!: string | null;

  @Field(() => String, { description: 'Balance of all series: `R$ 1.234.567,89`' })
  saldoTotal!: string;

  @Field(() => String, { description: 'Balance of the senior series' })
  saldoSenior!: string;

  @Field(() => String, { description: 'Balance of the mezzanine series' })
  saldoMezanino!: string;

  @Field(() => String, { description: 'Balance of the junior series' })
  saldoSubordinado!: string;

  @Field(() => String, { description: 'Balance of series without a class' })
  saldoUnico!: string;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SubordinationLine], { description: 'The outstanding series' })
  series!: readonly SubordinationLine[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [EndedSeriesLine], { description: 'Series that were redeemed or have matured' })
  encerradas!: readonly EndedSeriesLine[];
}
