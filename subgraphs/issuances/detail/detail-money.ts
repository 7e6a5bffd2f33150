import { Decimal, round } from '../../../shared/decimal.js';
import { formatCurrency, formatDate, formatPercent } from '../../../shared/format/format.js';
import type { OperationAccountRow, PermittedInvestmentRow } from '../operations/operation-parts.store.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { SeriesRow } from '../series/series.store.js';
import { compareTrusteePrice } from '../unit-prices/trustee-price.js';
import type { TrusteePriceRow } from '../unit-prices/trustee-price.store.js';
import type { PricePoint as RawPoint } from '../unit-prices/unit-price.js';
import type { TrusteeComparison } from './detail-chain.type.js';
import type {
  FinanceAccount,
  FinanceInvestment,
  OperationFinance,
  PricePoint,
  SeriesPricing,
} from './detail-money.type.js';

/**
 * Builds the pricing section of a series.
 * @param history oldest first, up to today
 */
export function toPricing(series: SeriesRow, history: readonly RawPoint[]): Shape<SeriesPricing> {
  const [current, before, first] = [history.at(-1), history.at(-2), history.at(-3)];
  const change = changeOf(before, current);
  return {
    serie: String(series.number),
    ticker: series.ticker,
    atual: current === undefined ? null : toPoint(current),
    d1: before === undefined ? null : toPoint(before),
    d2: first === undefined ? null : toPoint(first),
    variacao: change === undefined ? null : formatPercent(change, 4),
    variacaoRaw: change?.toFixed(4) ?? null,
    historico: history.map(toPoint),
  };
}

function toPoint({ date, value }: RawPoint): Shape<PricePoint> {
  return { data: formatDate(date), valor: formatCurrency(value, 8), dataRaw: date, valorRaw: value };
}

/** Returns the change of a price in percent, 4 decimals. */
function changeOf(before: RawPoint | undefined, current: RawPoint | undefined): Decimal | undefined {
  if (before === undefined || current === undefined) return undefined;
  const base = new Decimal(before.value);
  return base.isZero() ? undefined : round(new Decimal(current.value).div(base).minus(1).times(100), 4);
}

export function toFinance(
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
export function toTrusteeComparison(
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
