import { ArgsType, Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { type Indexer, IndexerEnum } from '../../securities/indexer.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { OperationFilter, OperationTypeEnum } from '../operations/operation.type.js';
import type { OperationType } from '../operations/operation.js';

// Fields of docs/contract/issuances.md §2.2. Values are display strings in Brazilian format; a missing value of a non-nullable field is
// "—".

@ObjectType({ simpleResolvers: true, description: 'A key indicator of an operation.' })
export class Kpi {
  @Field(() => String, { description: 'Label of the indicator: Volume, Remuneração or Vencimento' })
  label!: string;

  @Field(() => String, { description: 'Value as displayed' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether the page displays it larger than the others' })
  highlight!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The current unit price (PU) of a series.' })
export class CurrentPu {
  @Field(() => String, { description: 'The price with 8 decimals: `R$ 1.034,12345678`' })
  valor!: string;

  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => DecimalScalar, { description: 'The price in BRL, 8 decimals' })
  valorRaw!: string;

  @Field(() => DateScalar, { description: 'Date, `YYYY-MM-DD`' })
  dataRaw!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True where it was made with a projected index number; else null',
  })
  projected!: true | null;
}

@ObjectType({ simpleResolvers: true, description: 'A series in a list.' })
export class SeriesSummary {
  @Field(() => String, { description: 'Number within the operation' })
  numero!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Risk class: Sênior, Mezanino, Subordinada or Única' })
  classe!: string;

  @Field(() => String, { description: 'Remuneration as displayed: `CDI + 3,50% a.a.`' })
  remuneracao!: string;

  @Field(() => String, { description: 'Issue date, `DD/MM/YYYY`' })
  dataEmissao!: string;

  @Field(() => String, { description: 'Maturity date, `DD/MM/YYYY`' })
  dataVencimento!: string;

  @Field(() => String, { nullable: true, description: 'ISIN' })
  isin!: string | null;

  @Field(() => String, { nullable: true, description: 'Code at the depository (código IF)' })
  codigoIF!: string | null;

  @Field(() => String, { description: 'Total issued amount: `R$ 1.234.567,89`' })
  valorTotal!: string;

  @Field(() => IndexerEnum, { description: 'Index of the remuneration' })
  indexador!: Indexer;

  @Field(() => DecimalScalar, { description: 'Share of the index that is paid, in percent, 4 decimals' })
  indexadorPercentual!: string;

  @Field(() => DecimalScalar, { description: 'Fixed rate, or spread over the index, in percent per year, 6 decimals' })
  taxa!: string;

  @Field(() => DateScalar, { description: 'Issue date, `YYYY-MM-DD`' })
  dataEmissaoRaw!: string;

  @Field(() => DateScalar, { description: 'Maturity date, `YYYY-MM-DD`' })
  dataVencimentoRaw!: string;

  @Field(() => DecimalScalar, { description: 'Total issued amount in BRL, 2 decimals' })
  valorTotalRaw!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A securitization operation in a list.' })
export class OperationCard {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker' })
  ticker!: string;

  @Field(() => String, { description: 'Path of its page on the website' })
  href!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { description: 'Subtitle' })
  sub!: string;

  @Field(() => OperationTypeEnum, { description: 'CR, CRI, CRA or DEB' })
  tipo!: OperationType;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => [Kpi], { description: 'Key indicators, in this order: Volume, Remuneração, Vencimento' })
  kpis!: readonly Kpi[];

  @Field(() => String, { nullable: true, description: 'Issuance number' })
  numEmissao!: string | null;

  @Field(() => String, { nullable: true, description: 'Issue date, `DD/MM/YYYY`' })
  dataEmissao!: string | null;

  @Field(() => Int, { nullable: true, description: 'Number of series' })
  seriesCount!: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of series that are tokenized on a public chain' })
  blockchainCount!: number | null;

  @Field(() => [String], { description: 'Short labels' })
  chips!: readonly string[];

  @Field(() => CurrentPu, { nullable: true, description: 'Current unit price of its first series that has one' })
  pu!: CurrentPu | null;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesSummary], { description: 'Its series, by number' })
  series!: readonly SeriesSummary[];
}

@ObjectType({ simpleResolvers: true, description: 'Totals of several operations.' })
export class OperationListStats {
  @Field(() => String, { description: 'Total issued volume: `R$ 1.234.567,89`' })
  volume!: string;

  @Field(() => Int, { description: 'Number of operations' })
  operacoes!: number;

  @Field(() => Int, { description: 'Number of series' })
  series!: number;
}

@ObjectType({ simpleResolvers: true, description: 'All public operations.' })
export class OperationCardList {
  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [OperationCard], { description: 'The operations, latest issue first' })
  cards!: readonly OperationCard[];

  @Field(() => OperationListStats, { description: 'Totals of the operations' })
  stats!: OperationListStats;

  @Field(() => DateTimeScalar, {
    description: 'Time at which the list was computed (UTC); it is recomputed when any data changes',
  })
  generatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of the public operations that match a filter.' })
export class OperationCardPage {
  @Field(() => [OperationCard], { description: 'The operations of this page, latest issue first' })
  cards!: readonly OperationCard[];

  @Field(() => OperationListStats, { description: 'Totals of all operations that match the filter, on all pages' })
  stats!: OperationListStats;

  @Field(() => Int, { description: 'Number of operations that match the filter, on all pages' })
  total!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the next page, to be used with the same filter; null on the last page',
  })
  nextCursor!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time at which this page was computed (UTC)' })
  generatedAt!: Date;
}

@ArgsType()
export class OperationCardPageArgs {
  @Field(() => OperationFilter, {
    nullable: true,
    description: 'Restricts the list; all public operations when omitted',
  })
  filter?: OperationFilter | null;

  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Page size, from 1 to 200' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`nextCursor` of the previous page, which must have been requested with the same filter',
  })
  after?: string | null;
}
