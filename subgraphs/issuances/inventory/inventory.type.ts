import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { AgingBand } from '../reports/management-report-portfolio.type.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A credit behind an operation, without anything that says who owes it. All that is shown of it holds for the credits of at least 5 debtors, of which the same is shown; ranges are texts in Brazilian format, and what the group does not have in common is null.',
})
export class InventoryItem {
  @Field(() => String, {
    description:
      'Opaque id: nothing follows from it. It stands while the group of the credit has the same members; a credit that comes or a contract that is corrected gives the credits of its group new ids',
  })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Type, a free label: CCB, CCI, CPR…; null where types differ' })
  tipo!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Value at the start, from the first amount to below the second: `R$ 400.000,00 a R$ 500.000,00`',
  })
  valorOriginal!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Outstanding balance, as `valorOriginal`; `R$ 0,00` where nothing is owed',
  })
  saldoDevedor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Rate in words, from the first rate to below the second: `12,00% a 13,00% a.a.`, `IPCA + 8,00% a 9,00% a.a.`; null where indexers differ',
  })
  taxa!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'When it was issued: `05/2026`, `1º semestre de 2026`, `2026` or `2024 a 2026`',
  })
  dataEmissao!: string | null;

  @Field(() => String, { nullable: true, description: 'When it matures, as `dataEmissao`' })
  dataVencimento!: string | null;

  @Field(() => String, { nullable: true, description: 'Instalments: `48`, or `13 a 48`, both ends included' })
  parcelas!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Instalments that are paid, in dozens: `0`, `1 a 12`, `13 a 36`, both ends included',
  })
  parcelasPagas!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Calendar days since the oldest unpaid instalment fell due, by the bands of the report: `0`, `1 a 30`, `0 a 60`, `91 ou mais`, both ends included; null where it may be any number',
  })
  diasAtraso!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Band of the days late: A vencer, 1-30, 31-60, … 360+; null where bands differ',
  })
  faixaAtraso!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'State of the debtor; null where states differ or are not known',
  })
  uf!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ativo, Liquidado, Inadimplente or Baixado; null where they differ',
  })
  status!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A page of the inventory of an operation.' })
export class InventoryPage {
  readonly __typename = 'InventoryPage';

  @Field(() => Boolean, { description: 'Always true here' })
  available!: boolean;

  @Field(() => Int, { description: 'Which page this is, from 1' })
  page!: number;

  @Field(() => Int, { description: 'How many credits a page has at most' })
  limit!: number;

  @Field(() => Int, { description: 'Credits in the whole inventory' })
  total!: number;

  @Field(() => [InventoryItem], {
    description: 'The credits, ordered by id. The order carries no information, and changes when ids change',
  })
  items!: readonly InventoryItem[];
}

@ObjectType({ simpleResolvers: true, description: 'An inventory added up.' })
export class InventorySummary {
  @Field(() => Int, { description: 'Credits with a balance' })
  contratos!: number;

  @Field(() => Int, { description: 'Their debtors' })
  devedores!: number;

  @Field(() => String, { description: 'Outstanding balance: `R$ 1.234.567,89`' })
  saldoDevedor!: string;

  @Field(() => String, { description: 'What these credits were worth at the start' })
  valorOriginal!: string;

  @Field(() => String, { nullable: true, description: 'Average balance of a credit' })
  ticketMedio!: string | null;

  @Field(() => [AgingBand], { description: 'Balance by days late' })
  faixas!: readonly AgingBand[];
}

@ObjectType({ simpleResolvers: true, description: 'Why there is no inventory, and what it adds up to.' })
export class InventoryUnavailable {
  readonly __typename = 'InventoryUnavailable';

  @Field(() => Boolean, { description: 'Always false here' })
  available!: boolean;

  @Field(() => String, { description: 'Why the inventory is not published credit by credit' })
  reason!: string;

  @Field(() => InventorySummary, {
    nullable: true,
    description: 'The inventory added up; null where the operation has fewer than 5 debtors',
  })
  resumo!: InventorySummary | null;
}

export const Inventory = createUnionType({
  name: 'Inventory',
  description:
    'The credits behind an operation: page by page, or added up where they are too many. One with fewer than 5 debtors shows neither.',
  types: () => [InventoryPage, InventoryUnavailable] as const,
});
