import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { riskClassLabels } from '../../securities/risk-class.js';
import { absent, formatCurrency, formatDate, shown } from '../../../shared/kernel/format/format.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperationRow } from '../operations/operation.store.js';
import type { SeriesRow } from '../series/series.store.js';
import { remunerationOf, remunerationOfAll } from '../series/series.js';
import type { PricePoint } from '../unit-prices/unit-price.js';
import { type CardFacts, loadCardFacts } from './card.store.js';
import type {
  CurrentPu,
  Kpi,
  OperationCard,
  OperationListStats,
  SeriesSummary,
  OperationCardPage,
  OperationCardPageArgs,
} from './card.type.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { addUpOperations, filterKey, type OperationFigures } from '../operations/operation-list.store.js';
import { pageOperations } from '../operations/page-operations.js';
import type { RevisionCache } from '../revision/revision.js';

export interface CardParts {
  readonly operation: OperationRow;
  /** Series, ordered by number. */
  readonly series: readonly SeriesRow[];
  /** Current price by series id. */
  readonly prices: ReadonlyMap<string, PricePoint>;
  /** Ids of the tokenized series. */
  readonly tokenized: ReadonlySet<string>;
}

export function toCard({ operation, series, prices, tokenized }: CardParts): Shape<OperationCard> {
  return {
    ...operation,
    tipo: operation.type,
    kpis: toKpis(operation, series),
    numEmissao: operation.emissionNumber,
    dataEmissao: operation.emissionDate === null ? null : formatDate(operation.emissionDate),
    seriesCount: series.length,
    blockchainCount: series.filter(({ id }) => tokenized.has(id)).length,
    pu: toCurrentPu(series, prices),
    series: series.map(toSeriesSummary),
  };
}

export function cardOf(operation: OperationRow, { series, prices, tokenized }: CardFacts): Shape<OperationCard> {
  return toCard({ operation, series: series.get(operation.id) ?? [], prices, tokenized });
}

/** Returns the issued volume of an operation: the sum over its series, in reais. */
export function volumeOf(series: readonly Pick<SeriesRow, 'issuedTotal'>[]): Decimal {
  return sum(series.map((one) => one.issuedTotal));
}

function toKpis(operation: OperationRow, series: readonly SeriesRow[]): Shape<Kpi>[] {
  return [
    { label: 'Volume', value: formatCurrency(volumeOf(series)), highlight: false },
    { label: 'Remuneração', value: remunerationOfAll(series) ?? absent, highlight: true },
    { label: 'Vencimento', value: shown(operation.maturityDate, formatDate), highlight: false },
  ];
}

function toCurrentPu(series: readonly SeriesRow[], prices: ReadonlyMap<string, PricePoint>): Shape<CurrentPu> | null {
  for (const { id, number } of series) {
    const price = prices.get(id);
    if (price !== undefined) {
      return {
        valor: formatCurrency(price.value, 8),
        data: formatDate(price.date),
        serie: String(number),
        valorRaw: price.value,
        dataRaw: price.date,
        projected: price.projected ? true : null,
      };
    }
  }
  return null;
}

export function toSeriesSummary(series: SeriesRow): Shape<SeriesSummary> {
  return {
    numero: String(series.number),
    ticker: series.ticker,
    classe: riskClassLabels[series.class][0],
    remuneracao: remunerationOf(series),
    dataEmissao: formatDate(series.issueDate),
    dataVencimento: formatDate(series.maturityDate),
    isin: series.isin,
    codigoIF: series.ifCode,
    valorTotal: formatCurrency(series.issuedTotal),
    indexador: series.indexer,
    indexadorPercentual: series.indexerPercent,
    taxa: series.rate,
    dataEmissaoRaw: series.issueDate,
    dataVencimentoRaw: series.maturityDate,
    valorTotalRaw: series.issuedTotal,
  };
}

export function statsOf(cards: readonly Shape<OperationCard>[]): Shape<OperationListStats> {
  const all = cards.flatMap(({ series }) => series);
  return {
    volume: formatCurrency(sum(all.map(({ valorTotalRaw }) => valorTotalRaw))),
    operacoes: cards.length,
    series: all.length,
  };
}

/** Includes the totals of all operations that match the filter. @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor */
export async function readCardPage(
  context: Context,
  { codec, figures }: { readonly codec: CursorCodec; readonly figures: RevisionCache<OperationFigures> },
  args: OperationCardPageArgs,
): Promise<Shape<OperationCardPage>> {
  const now = context.clock.now();
  const page = await pageOperations(context, codec, args, { usual: 50, most: 200 });
  const { operations, series, volume } = await figures.one(context, filterKey(page.query), (fresh) =>
    addUpOperations(fresh, page.query),
  );
  const facts = await loadCardFacts(context, page.rows, civilDate(now));
  return {
    cards: page.rows.map((operation) => cardOf(operation, facts)),
    stats: { volume: formatCurrency(volume), operacoes: operations, series },
    total: operations,
    nextCursor: page.nextToken,
    generatedAt: now,
  };
}
