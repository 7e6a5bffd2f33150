import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { AgingBand } from '../reports/management-report-portfolio.type.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A credit behind an operation, without anything that says who owes it.',
})
export class InventoryItem {
  @Field(() => String, { description: 'Opaque id: stable within the operation, and nothing follows from it' })
  id!: string;

  @Field(() => String, { description: 'Type, a free label: CCB, CCI, CPR…' })
  tipo!: string;

  @Field(() => String, { description: 'Value at the start: `R$ 1.234.567,89`' })
  valorOriginal!: string;

  @Field(() => String, { description: 'Outstanding balance' })
  saldoDevedor!: string;

  @Field(() => String, { description: 'Rate in words: `12,00% a.a.`, `IPCA + 8,50% a.a.`' })
  taxa!: string;

  @Field(() => String, { description: 'Month of issue, `MM/YYYY`' })
  dataEmissao!: string;

  @Field(() => String, { description: 'Month of maturity, `MM/YYYY`' })
  dataVencimento!: string;

  @Field(() => Int, { description: 'Instalments' })
  parcelas!: number;

  @Field(() => Int, { description: 'Instalments that are paid' })
  parcelasPagas!: number;

  @Field(() => Int, { description: 'Calendar days since the oldest unpaid instalment fell due; 0 when none has' })
  diasAtraso!: number;

  @Field(() => String, { description: 'Band of `diasAtraso`: A vencer, 1-30, 31-60, … 360+' })
  faixaAtraso!: string;

  @Field(() => String, {
    nullable: true,
    description: 'State of the debtor; null where the operation has fewer than 5 debtors in it',
  })
  uf!: string | null;

  @Field(() => String, { description: 'Ativo, Liquidado, Inadimplente or Baixado' })
  status!: string;
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

  @Field(() => [InventoryItem], { description: 'The credits, in an order that is always the same and says nothing' })
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

  @Field(() => InventorySummary, { nullable: true, description: 'The inventory added up' })
  resumo!: InventorySummary | null;
}

export const Inventory = createUnionType({
  name: 'Inventory',
  description: 'The credits behind an operation: page by page, or added up where they are too many.',
  types: () => [InventoryPage, InventoryUnavailable] as const,
});
