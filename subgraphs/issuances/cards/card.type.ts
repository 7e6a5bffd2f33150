import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { OperationFilter } from '../operations/operation-list.type.js';
import { OperationTypeEnum } from '../operations/operation-type.enum.js';
import type { OperationType } from '../operations/operation.js';

// Fields of docs/contract/issuances.md §2.2. Values are display strings in Brazilian format; a missing value of a non-nullable field is
// "—".

@ObjectType({ simpleResolvers: true, description: 'A key indicator of an operation.' })
export class Kpi {
  @Field(() => String, { description: 'What it is: Volume, Remuneração or Vencimento' })
  label!: string;

  @Field(() => String, { description: 'Its value as it is shown' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether the page shows it larger than the others' })
  highlight!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The current unit price (PU) of a series.' })
export class CurrentPu {
  @Field(() => String, { description: 'The price with 8 decimals: `R$ 1.034,12345678`' })
  valor!: string;

  @Field(() => String, { description: 'Its day, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Number of the series' })
  serie!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A series, as lists show it.' })
export class SeriesSummary {
  @Field(() => String, { description: 'Number within the operation' })
  numero!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'Risk class: Sênior, Mezanino, Subordinada or Única' })
  classe!: string;

  @Field(() => String, { description: 'Remuneration in words: `CDI + 3,50% a.a.`' })
  remuneracao!: string;

  @Field(() => String, { description: 'Issue date, `DD/MM/YYYY`' })
  dataEmissao!: string;

  @Field(() => String, { description: 'Maturity date, `DD/MM/YYYY`' })
  dataVencimento!: string;

  @Field(() => String, { nullable: true, description: 'ISIN' })
  isin!: string | null;

  @Field(() => String, { nullable: true, description: 'Code at the depository (código IF)' })
  codigoIF!: string | null;

  @Field(() => String, { description: 'Issued total: `R$ 1.234.567,89`' })
  valorTotal!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A securitization operation, as the list shows it.' })
export class OperationCard {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

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

  @Field(() => [SeriesSummary], { description: 'Its series, by number' })
  series!: readonly SeriesSummary[];
}

@ObjectType({ simpleResolvers: true, description: 'Operations added up.' })
export class OperationListStats {
  @Field(() => String, { description: 'Issued volume of all of them: `R$ 1.234.567,89`' })
  volume!: string;

  @Field(() => Int, { description: 'Number of operations' })
  operacoes!: number;

  @Field(() => Int, { description: 'Number of series' })
  series!: number;
}

@ObjectType({ simpleResolvers: true, description: 'All public operations.' })
export class OperationCardList {
  @Field(() => [OperationCard], { description: 'The operations, the latest issue first' })
  cards!: readonly OperationCard[];

  @Field(() => OperationListStats, { description: 'The operations added up' })
  stats!: OperationListStats;

  @Field(() => DateTimeScalar, { description: 'When this list was made (UTC); it is made anew when anything changes' })
  generatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Public operations that a filter finds, page by page.' })
export class OperationCardPage {
  @Field(() => [OperationCard], { description: 'The operations of this page, the latest issue first' })
  cards!: readonly OperationCard[];

  @Field(() => OperationListStats, { description: 'All operations that the filter finds, on all pages, added up' })
  stats!: OperationListStats;

  @Field(() => Int, { description: 'Operations that the filter finds, on all pages' })
  total!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What continues after this page, with the same filter; null when nothing is left',
  })
  nextCursor!: string | null;

  @Field(() => DateTimeScalar, { description: 'When this page was made (UTC)' })
  generatedAt!: Date;
}

@ArgsType()
export class OperationCardPageArgs {
  @Field(() => OperationFilter, { nullable: true, description: 'Which operations; all public ones when omitted' })
  filter?: OperationFilter | null;

  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'How many, from 1 to 200' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`nextCursor` of the page before, got with the same filter' })
  after?: string | null;
}
