import 'reflect-metadata';
import { ObjectType } from 'type-graphql';
import { fields, flag, int, list, nullable, of, text } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'Totals of the credits with one indexer.' })
export class RateLine extends fields({
  indexador: text('Indexer: Prefixado, CDI, IPCA…'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  participacao: text('Share of the balance; the shares add up to 100,00%'),
  taxaMedia: text('Fixed rate or spread, weighted by balance: `12,5000% a.a.`'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Delinquency of the credits whose oldest unpaid instalment is more than some days late: by their whole balance, and by their overdue instalments only.',
})
export class DelinquencyLine extends fields({
  acimaDeDias: int('Days late above which a credit counts: 0, 30, 60 or 90'),
  contratos: int('Credits'),
  saldoContratos: text('Whole balance of these credits, also what is not due yet: `R$ 1.234.567,89`'),
  participacaoContratos: nullable.text(
    'That balance relative to the portfolio: `4,1234%`; null for an empty portfolio',
  ),
  parcelasVencidas: nullable.text(
    'Instalments of these credits that are due and unpaid; null while the amount of one of them is not known',
  ),
  participacaoParcelas: nullable.text(
    'These instalments relative to the balance of the portfolio; null where they are, and for an empty portfolio',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Totals of a portfolio of credits.' })
export class PortfolioSection extends fields({
  dataBase: nullable.text('Last day on which balances are known, `DD/MM/YYYY`; null without credits'),
  contratos: int('Number of credits with a balance'),
  devedores: int('Number of their debtors'),
  saldoDevedor: text('Outstanding balance: `R$ 1.234.567,89`'),
  valorOriginal: text('Total original value of these credits'),
  ticketMedio: nullable.text('Average balance of a credit'),
  prazoMedioDias: nullable.int('Calendar days to maturity, weighted by balance'),
  saldoVencido: text('Whole balance of the credits that are at least one day late, also what is not due yet'),
  inadimplencia: text('That balance relative to the portfolio: `4,1234%`'),
  inadimplenciaPorAtraso: list(
    () => DelinquencyLine,
    'Delinquency by balance of the credits in arrears and by overdue instalments, over 0, 30, 60 and 90 days',
    { assumedSize: 4 },
  ),
  taxas: list(() => RateLine, 'Totals by indexer'),
  contratosLiquidados: int('Number of credits that were paid off'),
  contratosBaixados: int('Number of credits that were written off'),
  saldoBaixado: text('Written-off balance, which is not part of the portfolio'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Totals of the largest debtors.' })
export class LargestDebtors extends fields({
  devedores: int('Number of debtors: 1, 5, 10 or 20'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  participacao: text('Their share of the portfolio: `12,3456%`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Concentration of the portfolio in few debtors.' })
export class ConcentrationSection extends fields({
  maiores: list(() => LargestDebtors, 'Totals of the largest 1, 5, 10 and 20 debtors'),
  hhi: text(
    "Herfindahl-Hirschman index, the sum of the squares of the debtors' shares in percent: from `0,00` to `10.000,00` (a single debtor)",
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balance in a band of days late.' })
export class AgingBand extends fields({
  faixa: text('A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+'),
  contratos: int('Credits'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  participacao: text('Share of the portfolio; the shares add up to 100,00%'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balance by days late.' })
export class AgingSection extends fields({
  faixas: list(() => AgingBand, 'All bands, including empty ones'),
  acimaDe90Dias: of(() => AgingBand, 'The bands of more than 90 days together'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Provision for the credits in a band of days late.' })
export class ProvisioningLine extends fields({
  classe: text('Estágio 1, Estágio 2 or Estágio 3, or a name from the matrix of the operation'),
  diasDe: int('First number of days late'),
  diasAte: nullable.int('Last number of days late; null for the open end'),
  percentual: text('Provisioned share: `10,00%`'),
  contratos: int('Credits'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  provisao: text('Provision for these credits'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
export class ProvisioningSection extends fields({
  matriz: text(
    'Resolução BCB 352 (the stages of Resolução CMN 4.966/2021 at the levels of Resolução BCB 352/2023 for credits without collateral, the default), or Operação for a matrix of the operation',
  ),
  faixas: list(() => ProvisioningLine, 'All bands, including empty ones'),
  total: text('Total provision'),
  percentual: text('Total provision relative to the balance of the portfolio: `2,3456%`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Credits in a band of balance relative to collateral.' })
export class LtvBand extends fields({
  faixa: text('Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band'),
  contratos: int('Credits'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  participacao: text('Share of the balance that has collateral; the shares add up to 100,00%'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Loan to value.' })
export class LtvSection extends fields({
  ltv: nullable.text('Balance over collateral: `62,5000%`; null when no credit has collateral'),
  contratos: int('Number of credits with collateral'),
  saldo: text('Balance: `R$ 1.234.567,89`'),
  valorGarantias: text('Value of the collateral'),
  saldoSemGarantia: text('Balance of the credits without collateral'),
  faixas: list(() => LtvBand, 'All bands, including empty ones'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in one month.' })
export class PrepaymentMonthLine extends fields({
  mes: text('Month, `MM/YYYY`'),
  saldoInicial: text('Balance at the beginning of the month: `R$ 1.234.567,89`'),
  amortizacaoProgramada: text('Principal due according to the schedule'),
  prePago: text('Principal paid ahead of schedule'),
  smm: nullable.text('Single monthly mortality: `1,0000%`; null when no balance remained after scheduled principal'),
  cpr: nullable.text('Single monthly mortality as an annual rate'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Speed at which debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12.',
})
export class PrepaymentSection extends fields({
  smm: nullable.text(
    'SMM of the month of the report, null when it has no positions; for the live position, of the latest month with positions: `1,0000%`',
  ),
  cpr: nullable.text('CPR of that month'),
  cpr12Meses: nullable.text('CPR over 12 months, compounded; null while fewer months have a speed'),
  mesesApurados: int('How many of the last 12 months have a speed'),
  meses: list(() => PrepaymentMonthLine, 'The last 12 months, oldest first', { assumedSize: 12 }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Test of a covenant of the deed about a figure of this report.' })
export class CovenantLine extends fields({
  nome: text('Name'),
  tipo: text('mínimo: the figure must not be below the limit; máximo: the figure must not be above it'),
  limite: text('Limit: `20,0000%`'),
  valor: nullable.text('The figure; null when it cannot be computed'),
  cumprido: nullable.flag('Whether the figure is within the limit; null when it cannot be computed'),
  ressalva: nullable.text(
    'Caveat about the test: `Indicador não calculável`, or `Preço unitário desatualizado` when the figure uses a price although a newer one was due; null without a caveat',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Amount owed to the holders of a series.' })
export class SubordinationLine extends fields({
  serie: text('Number of the series'),
  ticker: text('Ticker of the series'),
  classe: text('Sênior, Mezanino, Subordinada or Única'),
  saldo: text('Number of units times unit price: `R$ 1.234.567,89`'),
  participacao: text('Share of all series; the shares add up to 100,00%'),
  dataPu: nullable.text('Day of the unit price, `DD/MM/YYYY`; null when it is the unit value at issue'),
  desatualizado: flag('Whether a newer price was due on the day of the report'),
  emAtraso: nullable.text('What was due and unpaid beside `saldo`: `R$ 1.234.567,89`; null where it is not known'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A series without any amount owed, which is not part of the figures.',
})
export class EndedSeriesLine extends fields({
  serie: text('Number of the series'),
  ticker: text('Ticker of the series'),
  classe: text('Sênior, Mezanino, Subordinada or Única'),
  motivo: text('Resgatada or Vencida'),
  data: nullable.text('Day on which it ended, `DD/MM/YYYY`; null when only its status says that it ended'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Subordination to the senior series, of the outstanding series.' })
export class SubordinationSection extends fields({
  indice: nullable.text(
    'Balance of mezzanine and junior series relative to all series: `30,0000%`; null without outstanding series',
  ),
  cobertura: nullable.text('Balance of the credits relative to the balance of all series: `110,0000%`'),
  saldoTotal: text('Balance of all series: `R$ 1.234.567,89`'),
  saldoSenior: text('Balance of the senior series'),
  saldoMezanino: text('Balance of the mezzanine series'),
  saldoSubordinado: text('Balance of the junior series'),
  saldoUnico: text('Balance of series without a class'),
  series: list(() => SubordinationLine, 'The outstanding series', { assumedSize: 4 }),
  encerradas: list(() => EndedSeriesLine, 'Series that were redeemed or have matured', { assumedSize: 4 }),
}) {}
