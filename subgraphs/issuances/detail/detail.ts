import { formatDocument } from '../../../shared/kernel/tax-id.js';
import {
  absent,
  formatCurrency,
  formatDate,
  formatNumber,
  shown,
  formatPercent,
} from '../../../shared/kernel/format/format.js';
import { toCard, toSeriesSummary, volumeOf } from '../cards/card.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperationRow } from '../operations/operation.store.js';
import type { SeriesRow } from '../series/series.store.js';
import { remunerationOfAll } from '../series/series.js';
import type { DetailFacts } from './detail.store.js';
import type {
  OperationDetail,
  OperationSummary,
  SeriesDetail,
  Assembleia,
  DetailObligation,
  DetailPayment,
} from './detail.type.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { OnchainContractRow, OnchainEventRow } from '../onchain/onchain.store.js';
import type {
  BlockchainActivity,
  BlockchainContract,
  BlockchainData,
  TrusteeComparison,
  FinanceAccount,
  FinanceInvestment,
  OperationFinance,
  PricePoint,
  SeriesPricing,
} from './detail-chain.type.js';
import { obligationLabels, obligationStatus, periodicityLabels } from '../parts/obligation.js';
import type {
  AssemblyRow,
  ObligationRow,
  PaymentRow,
  OperationAccountRow,
  PermittedInvestmentRow,
} from '../operations/operation-list.store.js';
import { amountsOf, openOf, paymentStatus } from '../payments/payment.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { priceDueOn } from '../reports/price-due.js';
import { earnedBetween, toSeriesReturn } from '../../securities/period-return.js';
import { overduePerUnit, paymentsPerUnit } from '../unit-prices/returns.js';
import type { TrusteePriceRow } from '../unit-prices/unit-price.store.js';
import { type PricePoint as RawPoint, compareTrusteePrice } from '../unit-prices/unit-price.js';

export function toDetail(facts: DetailFacts, moment: Moment): Shape<OperationDetail> {
  const { operation, series } = facts;
  const tokenized = new Set(facts.contracts.flatMap((contract) => contract.seriesId ?? []));
  const tickers = new Map(series.map((one) => [one.id, one.ticker]));
  const otData = series.flatMap((one) => toTrusteeComparison(one, facts.trusteePrices.get(one.id)) ?? []);
  return {
    ...toCard({ operation, series, prices: facts.current, tokenized }),
    ...toRegister(operation),
    series: series.map(toSeriesDetail),
    remuneracao: remunerationOfAll(series) ?? absent,
    volume: formatCurrency(volumeOf(series)),
    volumeRaw: volumeOf(series).toFixed(2),
    garantias: facts.guarantees.map(({ type, description, status }) => ({
      tipo: type,
      descricao: description,
      status,
    })),
    documents: facts.documents,
    obligations: facts.obligations.map((one) => toDetailObligation(one, moment.today)),
    precificacao: series.map((one) => toPricing(one, facts, moment)),
    financeiro: toFinance(facts.accounts, facts.investments),
    pagamentos: facts.payments.map((one) => toDetailPayment(one, tickers, moment)),
    assembleias: facts.assemblies.map(toAssembleia),
    comunicacao: facts.communications.map(({ date, title, description }) => ({
      data: formatDate(date),
      dataRaw: date,
      titulo: title,
      descricao: description,
    })),
    blockchain: toBlockchainData(facts.contracts, facts.events, tickers),
    participants: facts.participants,
    otIntegrado: otData.length > 0,
    otData,
    generatedAt: moment.now,
  };
}

function toRegister(operation: OperationRow) {
  return {
    emissora: operation.issuer,
    emissoraCnpj: operation.issuerCnpj === null ? null : formatDocument(operation.issuerCnpj),
    agenteFiduciario: operation.trustee,
    coordenadorLider: operation.leadCoordinator,
    escriturador: operation.bookkeeper,
    auditor: operation.auditor,
    lastro: operation.backingAsset,
    rating: operation.rating,
    dataVencimento: shown(operation.maturityDate, formatDate),
    dataVencimentoRaw: operation.maturityDate,
    dataEmissaoRaw: operation.emissionDate,
    summary: toSummary(operation),
  };
}

function toSummary(operation: OperationRow): Shape<OperationSummary> | null {
  if (operation.summaryDescription === null) return null;
  return {
    descricao: operation.summaryDescription,
    segmento: operation.summarySegment,
    destinacao: operation.summaryUseOfProceeds,
    oferta: operation.summaryOffering,
    destaques: operation.summaryHighlights,
  };
}

function toSeriesDetail(series: SeriesRow): Shape<SeriesDetail> {
  return {
    ...toSeriesSummary(series),
    status: series.status,
    valorNominalUnitario: formatCurrency(series.unitValue, 8),
    quantidade: formatNumber(series.quantity, 0),
    quotasSubscritas: series.subscribedQuotas === null ? null : formatNumber(series.subscribedQuotas, 0),
    valorCaptado: series.raisedAmount === null ? null : formatCurrency(series.raisedAmount),
    valorNominalUnitarioRaw: series.unitValue,
    quantidadeRaw: series.quantity,
    valorCaptadoRaw: series.raisedAmount,
  };
}

function toBlockchainData(
  contracts: readonly OnchainContractRow[],
  events: readonly OnchainEventRow[],
  tickers: ReadonlyMap<string, string>,
): Shape<BlockchainData> {
  const networks = [...new Set(contracts.map(({ network }) => network))];
  const addresses = new Map(contracts.map(({ id, address }) => [id, address]));
  return {
    rede: networks.length === 0 ? null : networks.join(', '),
    contratos: contracts.map((contract) => toContract(contract, tickers)),
    atividade: events.map((event) => toActivity(event, addresses.get(event.contractId) ?? '')),
  };
}

function toContract(contract: OnchainContractRow, tickers: ReadonlyMap<string, string>): Shape<BlockchainContract> {
  return {
    endereco: contract.address,
    rede: contract.network,
    chainId: contract.chainId,
    padrao: contract.standard,
    nome: contract.name,
    simbolo: contract.symbol,
    serie: contract.seriesId === null ? null : (tickers.get(contract.seriesId) ?? null),
    quantidadeTokens: formatNumber(contract.tokenQuantity, 0),
    totalEmitido: formatNumber(contract.totalSupply, 0),
    dataImplantacao: formatDate(civilDate(contract.deployedAt)),
    explorerUrl: contract.explorerUrl,
  };
}

function toActivity(event: OnchainEventRow, address: string): Shape<BlockchainActivity> {
  return {
    tipo: event.type,
    data: formatDate(civilDate(event.occurredAt)),
    contrato: address,
    transacao: event.transactionHash,
    bloco: event.blockNumber,
    de: event.fromAddress,
    para: event.toAddress,
    quantidade: event.tokenQuantity === null ? null : formatNumber(event.tokenQuantity, 0),
  };
}

function toDetailObligation(obligation: ObligationRow, today: string): Shape<DetailObligation> {
  const status = obligationStatus(obligation, today);
  return {
    titulo: obligation.title,
    descricao: obligation.description,
    responsavel: obligation.responsible,
    periodicidade: periodicityLabels[obligation.periodicity][0],
    dataVencimento: formatDate(obligation.dueDate),
    dataEntrega: obligation.deliveredDate === null ? null : formatDate(obligation.deliveredDate),
    status: obligationLabels[status][0],
    dataVencimentoRaw: obligation.dueDate,
    dataEntregaRaw: obligation.deliveredDate,
    statusRaw: status,
  };
}

function toDetailPayment(
  payment: PaymentRow,
  tickers: ReadonlyMap<string, string>,
  { today, calendar }: Moment,
): Shape<DetailPayment> {
  const status = paymentStatus(payment, today, calendar);
  const { interestValue, principalValue, totalValue, projected } = amountsOf(payment);
  const open = openOf({ ...payment, totalValue }, status);
  return {
    installmentNumber: payment.installmentNumber,
    dueDate: formatDate(payment.dueDate),
    dataPagamento: shown(payment.paidDate, formatDate),
    status,
    interestValue: shown(interestValue, formatCurrency),
    principalValue: shown(principalValue, formatCurrency),
    totalValue: totalValue === null ? null : formatCurrency(totalValue),
    openValue: open === null ? null : formatCurrency(open),
    projected,
    trancheTicker: payment.seriesId === null ? null : (tickers.get(payment.seriesId) ?? null),
    evento: payment.event,
    dueDateRaw: payment.dueDate,
    dataPagamentoRaw: payment.paidDate,
    interestValueRaw: interestValue,
    principalValueRaw: principalValue,
    totalValueRaw: totalValue,
    openValueRaw: open,
  };
}

function toAssembleia(assembly: AssemblyRow): Shape<Assembleia> {
  return {
    data: formatDate(assembly.date),
    tipo: assembly.type,
    titulo: assembly.title,
    convocacao: assembly.call,
    status: assembly.status,
    pauta: assembly.agenda,
    deliberacao: assembly.resolution,
    quorum: assembly.quorumPercent === null ? null : formatPercent(assembly.quorumPercent),
    url: assembly.url,
    dataRaw: assembly.date,
  };
}

interface Moment {
  readonly now: Date;
  readonly today: string;
  readonly calendar: Calendar;
}

function toPricing(
  series: SeriesRow,
  { histories, current: prices, payments }: Pick<DetailFacts, 'histories' | 'current' | 'payments'>,
  { calendar, today }: Moment,
): Shape<SeriesPricing> {
  const history = histories.get(series.id) ?? [];
  const shown = prices.get(series.id);
  const current = history.at(-1);
  const dayBefore = (day: string | undefined) =>
    day === undefined ? undefined : priceDueOn(calendar, addDays(day, -1));
  const d1 = dayBefore(current?.date);
  const d2 = dayBefore(d1);
  const [before, first] = [d1, d2].map((day) => history.findLast(({ date }) => date === day));
  // A redeemed unit is worth nothing: it was paid its last price.
  const isRepaid = shown !== undefined && current !== undefined && new Decimal(shown.value).isZero();
  const change = changeOf(before, isRepaid ? shown : current);
  const paid =
    before && current && paymentsPerUnit(payments, series, { from: before.date, to: current.date }, calendar);
  // Of two adjacent prices, one is with a payment and the other without it.
  const near = paid?.map(({ lowers }) => (lowers === null ? current : before));
  const earned = before && current && paid && near && earnedBetween(before, current, paid, near);
  const { percent = null, paid: earlier = null } = earned ? toSeriesReturn(before, current, earned) : {};
  const last = isRepaid
    ? paymentsPerUnit(payments, series, { from: current.date, to: addDays(shown.date, 1) }, calendar)
    : [];
  const onUnit = earlier && last ? round(sum([earlier, ...last.map(({ value }) => value)]), 8).toFixed(8) : null;
  const overdue = overduePerUnit(payments, series, today, calendar);
  return {
    serie: String(series.number),
    ticker: series.ticker,
    atual: shown === undefined ? null : toPoint(shown),
    d1: before === undefined ? null : toPoint(before),
    d2: first === undefined ? null : toPoint(first),
    variacao: change === undefined ? null : formatPercent(change, 4),
    variacaoRaw: change?.toFixed(4) ?? null,
    pagamentoUnitario: onUnit && formatCurrency(onUnit, 8),
    pagamentoUnitarioRaw: onUnit,
    retorno: percent && formatPercent(percent, 4),
    retornoRaw: percent,
    overdueValue: overdue === undefined ? null : formatCurrency(overdue.toFixed(8), 8),
    overdueValueRaw: overdue?.toFixed(8) ?? null,
    historico: history.map(toPoint),
  };
}

function toPoint({ date, value, projected }: RawPoint): Shape<PricePoint> {
  return {
    projected: projected ? true : null,
    data: formatDate(date),
    valor: formatCurrency(value, 8),
    dataRaw: date,
    valorRaw: value,
  };
}

/** Returns the change of a price in percent, 4 decimals. */
function changeOf(before: RawPoint | undefined, current: RawPoint | undefined): Decimal | undefined {
  if (before === undefined || current === undefined) return undefined;
  const base = new Decimal(before.value);
  return base.isZero() ? undefined : round(new Decimal(current.value).div(base).minus(1).times(100), 4);
}

function toFinance(
  accounts: readonly OperationAccountRow[],
  investments: readonly PermittedInvestmentRow[],
): Shape<OperationFinance> {
  return { contas: accounts.map(toAccount), aplicacoesPermitidas: investments.map(toInvestment) };
}

function toAccount(account: OperationAccountRow): Shape<FinanceAccount> {
  return {
    finalidade: account.purpose,
    banco: account.bank,
    agencia: account.branch,
    conta: account.accountNumber,
    saldo: account.balance === null ? null : formatCurrency(account.balance),
    saldoMinimo: account.minimumBalance === null ? null : formatCurrency(account.minimumBalance),
    dataSaldo: account.balanceDate === null ? null : formatDate(account.balanceDate),
    saldoRaw: account.balance,
    saldoMinimoRaw: account.minimumBalance,
    dataSaldoRaw: account.balanceDate,
  };
}

function toInvestment(investment: PermittedInvestmentRow): Shape<FinanceInvestment> {
  return {
    descricao: investment.description,
    instituicao: investment.institution,
    limite: investment.limitPercent === null ? null : formatPercent(investment.limitPercent),
    valorAplicado: investment.investedAmount === null ? null : formatCurrency(investment.investedAmount),
    dataPosicao: investment.positionDate === null ? null : formatDate(investment.positionDate),
    limiteRaw: investment.limitPercent,
    valorAplicadoRaw: investment.investedAmount,
    dataPosicaoRaw: investment.positionDate,
  };
}

/** Compares the newest price of the trustee firm with the issuer's; undefined if the firm publishes none. */
function toTrusteeComparison(
  series: SeriesRow,
  price: TrusteePriceRow | undefined,
): Shape<TrusteeComparison> | undefined {
  if (price === undefined) return undefined;
  const { difference, percent } = compareTrusteePrice(price);
  return {
    serie: String(series.number),
    ticker: series.ticker,
    agente: price.trustee,
    data: formatDate(price.date),
    puEmissora: price.issuerValue === null ? null : formatCurrency(price.issuerValue, 8),
    puAgente: formatCurrency(price.trusteeValue, 8),
    diferenca: difference === null ? null : formatCurrency(difference, 8),
    diferencaPercentual: percent === null ? null : formatPercent(percent, 6),
    dataRaw: price.date,
    puEmissoraRaw: price.issuerValue,
    puAgenteRaw: price.trusteeValue,
    diferencaRaw: difference === null ? null : round(difference, 8).toFixed(8),
    diferencaPercentualRaw: percent === null ? null : round(percent, 6).toFixed(6),
  };
}
