import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Credits whose balance is such a share of their collateral.' })
export class LtvBand {
  @Field(() => String, {
    description: 'Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band',
  })
  faixa!: string;

  @Field(() => Int, { description: 'Credits' })
  contratos!: number;

  @Field(() => String, { description: 'Their balance: `R$ 1.234.567,89`' })
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

  @Field(() => Int, { description: 'Credits with collateral' })
  contratos!: number;

  @Field(() => String, { description: 'Their balance: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Value of their collateral' })
  valorGarantias!: string;

  @Field(() => String, { description: 'Balance of the credits without collateral' })
  saldoSemGarantia!: string;

  @Field(() => [LtvBand], { description: 'Every band, the empty ones too' })
  faixas!: readonly LtvBand[];
}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in a month.' })
export class PrepaymentMonthLine {
  @Field(() => String, { description: 'Month, `MM/YYYY`' })
  mes!: string;

  @Field(() => String, { description: 'Balance at its start: `R$ 1.234.567,89`' })
  saldoInicial!: string;

  @Field(() => String, { description: 'Principal due by schedule' })
  amortizacaoProgramada!: string;

  @Field(() => String, { description: 'Principal paid ahead of schedule' })
  prePago!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Single monthly mortality: `1,0000%`; null when the schedule left nothing',
  })
  smm!: string | null;

  @Field(() => String, { nullable: true, description: 'The same per year' })
  cpr!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'How fast debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12.',
})
export class PrepaymentSection {
  @Field(() => String, {
    nullable: true,
    description:
      'SMM of the month of the report, null where it has no positions; of the live one: of the last month there is: `1,0000%`',
  })
  smm!: string | null;

  @Field(() => String, { nullable: true, description: 'CPR of that month' })
  cpr!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'CPR over the last 12 months (fewer when there are fewer), compounded',
  })
  cpr12Meses!: string | null;

  @Field(() => [PrepaymentMonthLine], { description: 'The last 12 months, oldest first' })
  meses!: readonly PrepaymentMonthLine[];
}

@ObjectType({ simpleResolvers: true, description: 'A promise of the deed about a figure of this report.' })
export class CovenantLine {
  @Field(() => String, { description: 'Name' })
  nome!: string;

  @Field(() => String, { description: 'mínimo: the figure must not be below the limit; máximo: not above it' })
  tipo!: string;

  @Field(() => String, { description: 'Limit: `20,0000%`' })
  limite!: string;

  @Field(() => String, { nullable: true, description: 'The figure; null when it cannot be computed' })
  valor!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it keeps the limit; null when it cannot be computed' })
  cumprido!: boolean | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What speaks against reading it plainly: `Indicador não calculável`, or `Preço unitário desatualizado` where the figure rests on a price that is older than one that was due; else null',
  })
  ressalva!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What the holders of a series are owed.' })
export class SubordinationLine {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Sênior, Mezanino, Subordinada or Única' })
  classe!: string;

  @Field(() => String, { description: 'Quotas times unit price: `R$ 1.234.567,89`' })
  saldo!: string;

  @Field(() => String, { description: 'Share of all series; the shares add up to 100,00%' })
  participacao!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The day of the unit price, `DD/MM/YYYY`; null where it is the unit value at issue, or a report of before 2026-11 does not say',
  })
  dataPu!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a newer price was due on the day of the report; null in reports of before 2026-11',
  })
  desatualizado!: boolean | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A series of which nothing is owed any more: no part of the figures.',
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
    description: 'On which day, `DD/MM/YYYY`; null where only its status says so',
  })
  data!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What stands below the senior series, of the series that are outstanding.',
})
export class SubordinationSection {
  @Field(() => String, {
    nullable: true,
    description:
      'Balance of mezzanine and junior series over all series: `30,0000%`; null without series that are outstanding',
  })
  indice!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Balance of the credits over the balance of all series: `110,0000%`',
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

  @Field(() => [SubordinationLine], { description: 'By series, those that are outstanding' })
  series!: readonly SubordinationLine[];

  @Field(() => [EndedSeriesLine], { description: 'Series that were redeemed or have matured' })
  encerradas!: readonly EndedSeriesLine[];
}
