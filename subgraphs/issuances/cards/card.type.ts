import { ArgsType, ObjectType } from 'type-graphql';
import { IndexerEnum } from '../../securities/indexer.js';
import { OperationFilter, OperationTypeEnum } from '../operations/operation.type.js';
import {
  args,
  day,
  decimal,
  fields,
  flag,
  id,
  int,
  list,
  nullable,
  of,
  text,
  texts,
  time,
} from '../../../shared/graphql/fields.js';

// Fields of docs/contract/issuances.md §2.2. Values are display strings in Brazilian format; a missing value of a non-nullable field is
// "—".

@ObjectType({ simpleResolvers: true, description: 'A key indicator of an operation.' })
export class Kpi extends fields({
  label: text('Label of the indicator: Volume, Remuneração or Vencimento'),
  value: text('Value as displayed'),
  highlight: flag('Whether the page displays it larger than the others'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The current unit price (PU) of a series.' })
export class CurrentPu extends fields({
  valor: text('The price with 8 decimals: `R$ 1.034,12345678`'),
  data: text('Date, `DD/MM/YYYY`'),
  serie: text('Number of the series'),
  valorRaw: decimal('The price in BRL, 8 decimals'),
  dataRaw: day('Date, `YYYY-MM-DD`'),
  projected: nullable.of<true>(() => Boolean, 'True where it was made with a projected index number; else null'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A series in a list.' })
export class SeriesSummary extends fields({
  numero: text('Number within the operation'),
  ticker: text('Ticker of the series'),
  classe: text('Risk class: Sênior, Mezanino, Subordinada or Única'),
  remuneracao: text('Remuneration as displayed: `CDI + 3,50% a.a.`'),
  dataEmissao: text('Issue date, `DD/MM/YYYY`'),
  dataVencimento: text('Maturity date, `DD/MM/YYYY`'),
  isin: nullable.text('ISIN'),
  codigoIF: nullable.text('Code at the depository (código IF)'),
  valorTotal: text('Total issued amount: `R$ 1.234.567,89`'),
  indexador: of(() => IndexerEnum, 'Index of the remuneration'),
  indexadorPercentual: decimal('Share of the index that is paid, in percent, 4 decimals'),
  taxa: decimal('Fixed rate, or spread over the index, in percent per year, 6 decimals'),
  dataEmissaoRaw: day('Issue date, `YYYY-MM-DD`'),
  dataVencimentoRaw: day('Maturity date, `YYYY-MM-DD`'),
  valorTotalRaw: decimal('Total issued amount in BRL, 2 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A securitization operation in a list.' })
export class OperationCard extends fields({
  id: id('Id (UUID)'),
  ticker: text('Ticker'),
  href: text('Path of its page on the website'),
  name: text('Name'),
  sub: text('Subtitle'),
  tipo: of(() => OperationTypeEnum, 'CR, CRI, CRA or DEB'),
  status: text('Status, a free label'),
  kpis: list(() => Kpi, 'Key indicators, in this order: Volume, Remuneração, Vencimento'),
  numEmissao: nullable.text('Issuance number'),
  dataEmissao: nullable.text('Issue date, `DD/MM/YYYY`'),
  seriesCount: nullable.int('Number of series'),
  blockchainCount: nullable.int('Number of series that are tokenized on a public chain'),
  chips: texts('Short labels'),
  pu: nullable.of(() => CurrentPu, 'Current unit price of its first series that has one'),
  series: list(() => SeriesSummary, 'Its series, by number', { assumedSize: 4 }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Totals of several operations.' })
export class OperationListStats extends fields({
  volume: text('Total issued volume: `R$ 1.234.567,89`'),
  operacoes: int('Number of operations'),
  series: int('Number of series'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'All public operations.' })
export class OperationCardList extends fields({
  cards: list(() => OperationCard, 'The operations, latest issue first', { assumedSize: 100 }),
  stats: of(() => OperationListStats, 'Totals of the operations'),
  generatedAt: time('Time at which the list was computed (UTC); it is recomputed when any data changes'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of the public operations that match a filter.' })
export class OperationCardPage extends fields({
  cards: list(() => OperationCard, 'The operations of this page, latest issue first'),
  stats: of(() => OperationListStats, 'Totals of all operations that match the filter, on all pages'),
  total: int('Number of operations that match the filter, on all pages'),
  nextCursor: nullable.text('Cursor of the next page, to be used with the same filter; null on the last page'),
  generatedAt: time('Time at which this page was computed (UTC)'),
}) {}

@ArgsType()
export class OperationCardPageArgs extends args({
  filter: nullable.of(() => OperationFilter, 'Restricts the list; all public operations when omitted'),
  first: nullable.int('Page size, from 1 to 200', { defaultValue: 50 }),
  after: nullable.text('`nextCursor` of the previous page, which must have been requested with the same filter'),
}) {}
