import { formatDocument } from '../../../shared/tax-id.js';
import { absent, formatCurrency, formatDate, formatNumber, shown } from '../../../shared/format/format.js';
import { toCard, toSeriesSummary, volumeOf } from '../cards/card.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OperationRow } from '../operations/operation.store.js';
import type { SeriesRow } from '../series/series.store.js';
import { remunerationOfAll } from '../series/series.js';
import { toBlockchainData } from './detail-chain.js';
import { toFinance, toPricing, toTrusteeComparison } from './detail-money.js';
import { toAssembleia, toDetailObligation, toDetailPayment } from './detail-parts.js';
import type { DetailFacts } from './detail.store.js';
import type { OperationDetail, OperationSummary, SeriesDetail } from './detail.type.js';
import type { Moment } from './moment.js';

export function toDetail(facts: DetailFacts, moment: Moment): Shape<OperationDetail> {
  const { operation, series } = facts;
  const prices = new Map(
    [...facts.histories].flatMap(([id, history]) => history.slice(-1).map((price) => [id, price] as const)),
  );
  const tokenized = new Set(facts.contracts.flatMap((contract) => contract.seriesId ?? []));
  const tickers = new Map(series.map((one) => [one.id, one.ticker]));
  const otData = series.flatMap((one) => toTrusteeComparison(one, facts.trusteePrices.get(one.id)) ?? []);
  return {
    ...toCard({ operation, series, prices, tokenized }),
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
    precificacao: series.map((one) => toPricing(one, facts.histories.get(one.id) ?? [])),
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

/** Maps the fields of the operation's own row. */
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
