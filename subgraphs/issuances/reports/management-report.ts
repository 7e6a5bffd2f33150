import { riskClassLabels } from '../../securities/risk-class.js';
import { indexerName } from '../../securities/indexer.js';
import { noRate } from '../inventory/bands.js';
import {
  formatCurrency,
  formatDate,
  formatMonth,
  formatNumber,
  formatPercent,
  formatRate,
} from '../../../shared/kernel/format/format.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { CovenantCaveat } from './covenants.js';
import type {
  AgingBand,
  ConcentrationSection,
  DelinquencyLine,
  PortfolioSection,
  ProvisioningSection,
  CovenantLine,
  LtvSection,
  PrepaymentSection,
  SubordinationSection,
} from './management-report.type.js';
import {
  type ManagementReport,
  type ReportMonthDetail,
  toLiveReport,
  toPortfolioReport,
} from './portfolio-report.type.js';
import type { MonthStatus, ReportMonth } from './report-months.js';
import { type Report, over90 } from './report-schema.js';
import type { DatedReport, MonthReport } from './report.store.js';

const statusLabels: Readonly<Record<MonthStatus, string>> = { PRELIMINARY: 'preliminar', FINAL: 'final' };

export function toMonthDetail({
  month,
  status,
  version,
  generatedAt,
  dataChanged,
}: ReportMonth): Shape<ReportMonthDetail> {
  return { month, situacao: statusLabels[status], versao: version, generatedAt, dataChanged };
}

export function toManagementReport(ticker: string, shown: MonthReport | DatedReport): Shape<ManagementReport> {
  const { report, generatedAt } = shown;
  const month = 'month' in shown ? shown : undefined;
  return {
    ticker,
    month: month?.month ?? null,
    situacao: month === undefined ? null : statusLabels[month.status],
    versao: month?.version ?? null,
    motivo: month?.reason ?? null,
    dataChanged: month?.dataChanged ?? false,
    generatedAt,
    position: formatDate(report.position),
    carteira: toPortfolio(report),
    concentracao: toConcentration(report.concentration),
    aging: { faixas: toAgingBands(report.aging), acimaDe90Dias: toAgingBand(over90(report.aging)) },
    provisionamento: toProvisioning(report.provisioning),
    ltv: toLtv(report.ltv),
    prePagamento: toPrepayment(report.prepayment),
    covenants: report.covenants.map(toCovenant),
    subordinacao: toSubordination(report.subordination),
    numeros: month === undefined ? toLiveReport(shown) : toPortfolioReport(month),
  };
}

const percent = (value: string) => formatPercent(value, 4);
const percentOrNull = (value: string | null) => (value === null ? null : percent(value));
const dateOrNull = (day: string | null) => (day === null ? null : formatDate(day));

function toPortfolio({ portfolio, delinquency }: Report): Shape<PortfolioSection> {
  return {
    dataBase: dateOrNull(portfolio.baseDate),
    contratos: portfolio.contracts,
    devedores: portfolio.debtors,
    saldoDevedor: formatCurrency(portfolio.balance),
    valorOriginal: formatCurrency(portfolio.originalValue),
    ticketMedio: portfolio.averageTicket === null ? null : formatCurrency(portfolio.averageTicket),
    prazoMedioDias: portfolio.averageTermDays === null ? null : Number(portfolio.averageTermDays),
    saldoVencido: formatCurrency(portfolio.overdueBalance),
    inadimplencia: percent(portfolio.overdueShare),
    inadimplenciaPorAtraso: delinquency.map(toDelinquencyLine),
    taxas: portfolio.rates.map(({ indexer, averageRate, balance, share }) => {
      const isKnown = indexer !== 'PREFIXED' || Number(averageRate) !== 0;
      return {
        indexador: isKnown ? indexerName(indexer) : noRate,
        saldo: formatCurrency(balance),
        participacao: formatPercent(share),
        taxaMedia: isKnown ? `${percent(averageRate)} a.a.` : '—',
      };
    }),
    contratosLiquidados: portfolio.settledContracts,
    contratosBaixados: portfolio.writtenOffContracts,
    saldoBaixado: formatCurrency(portfolio.writtenOffBalance),
  };
}

function toDelinquencyLine(line: Report['delinquency'][number]): Shape<DelinquencyLine> {
  return {
    acimaDeDias: line.overDays,
    contratos: line.contracts,
    saldoContratos: formatCurrency(line.balance),
    participacaoContratos: percentOrNull(line.balanceShare),
    parcelasVencidas: line.overdueInstalments === null ? null : formatCurrency(line.overdueInstalments),
    participacaoParcelas: percentOrNull(line.overdueShare),
  };
}

export function toAgingBands(aging: Report['aging']): Shape<AgingBand>[] {
  return aging.map(toAgingBand);
}

function toAgingBand(band: Report['aging'][number]): Shape<AgingBand> {
  return {
    faixa: band.label,
    contratos: band.contracts,
    saldo: formatCurrency(band.balance),
    participacao: formatPercent(band.share),
  };
}

function toConcentration(concentration: Report['concentration']): Shape<ConcentrationSection> {
  return {
    maiores: concentration.largest.map((top) => ({
      devedores: top.debtors,
      saldo: formatCurrency(top.balance),
      participacao: percent(top.share),
    })),
    hhi: formatNumber(concentration.hhi, 2),
  };
}

function toProvisioning(provisioning: Report['provisioning']): Shape<ProvisioningSection> {
  return {
    matriz: provisioning.matrix === 'HOUSE' ? 'Resolução BCB 352' : 'Operação',
    faixas: provisioning.bands.map((band) => ({
      classe: band.label,
      diasDe: band.fromDays,
      diasAte: band.toDays,
      percentual: formatRate(band.rate),
      contratos: band.contracts,
      saldo: formatCurrency(band.balance),
      provisao: formatCurrency(band.provision),
    })),
    total: formatCurrency(provisioning.total),
    percentual: percent(provisioning.share),
  };
}

function toLtv(ltv: Report['ltv']): Shape<LtvSection> {
  return {
    ltv: percentOrNull(ltv.ltv),
    contratos: ltv.contracts,
    saldo: formatCurrency(ltv.balance),
    valorGarantias: formatCurrency(ltv.collateral),
    saldoSemGarantia: formatCurrency(ltv.uncollateralizedBalance),
    faixas: ltv.bands.map((band) => ({
      faixa: band.label,
      contratos: band.contracts,
      saldo: formatCurrency(band.balance),
      participacao: formatPercent(band.share),
    })),
  };
}

function toPrepayment(prepayment: Report['prepayment']): Shape<PrepaymentSection> {
  return {
    smm: percentOrNull(prepayment.smm),
    cpr: percentOrNull(prepayment.cpr),
    cpr12Meses: percentOrNull(prepayment.cprTwelveMonths),
    mesesApurados: prepayment.measuredMonths,
    meses: prepayment.months.map((month) => ({
      mes: formatMonth(month.month),
      saldoInicial: formatCurrency(month.opening),
      amortizacaoProgramada: formatCurrency(month.scheduled),
      prePago: formatCurrency(month.prepaid),
      smm: percentOrNull(month.smm),
      cpr: percentOrNull(month.cpr),
    })),
  };
}

function toCovenant(covenant: Report['covenants'][number]): Shape<CovenantLine> {
  return {
    nome: covenant.name,
    tipo: covenant.comparison === 'AT_LEAST' ? 'mínimo' : 'máximo',
    limite: percent(covenant.threshold),
    valor: percentOrNull(covenant.value),
    cumprido: covenant.fulfilled,
    ressalva: covenant.caveat === null ? null : caveatLabels[covenant.caveat],
  };
}

const caveatLabels: Readonly<Record<CovenantCaveat, string>> = {
  NOT_COMPUTABLE: 'Indicador não calculável',
  STALE_PRICE: 'Preço unitário desatualizado',
};

function toSubordination(subordination: Report['subordination']): Shape<SubordinationSection> {
  return {
    indice: percentOrNull(subordination.index),
    cobertura: percentOrNull(subordination.coverage),
    saldoTotal: formatCurrency(subordination.total),
    saldoSenior: formatCurrency(subordination.seniorBalance),
    saldoMezanino: formatCurrency(subordination.mezzanineBalance),
    saldoSubordinado: formatCurrency(subordination.juniorBalance),
    saldoUnico: formatCurrency(subordination.uniqueBalance),
    series: subordination.series.map((one) => ({
      serie: String(one.number),
      ticker: one.ticker,
      classe: riskClassLabels[one.class][0],
      saldo: formatCurrency(one.balance),
      participacao: formatPercent(one.share),
      dataPu: dateOrNull(one.priceDate),
      desatualizado: one.stale,
      emAtraso: one.overdueTotal === null ? null : formatCurrency(one.overdueTotal),
    })),
    encerradas: subordination.ended.map((one) => ({
      serie: String(one.number),
      ticker: one.ticker,
      classe: riskClassLabels[one.class][0],
      motivo: one.end === 'REDEEMED' ? 'Resgatada' : 'Vencida',
      data: dateOrNull(one.endedOn),
    })),
  };
}
