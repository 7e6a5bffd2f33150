import 'reflect-metadata';
import { createUnionType, ObjectType } from 'type-graphql';
import { AgingBand } from '../reports/management-report.type.js';
import { fields, flag, int, list, nullable, text } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A credit of an operation, without data that identifies its debtor. All displayed values are shared by the credits of a group of at least 5 debtors; ranges are texts in Brazilian format, and a value that differs within the group is null.',
})
export class InventoryItem extends fields({
  id: text(
    'Opaque id, from which nothing can be derived. It is stable while the members of the group of the credit are the same; a new credit or a corrected contract gives the credits of its group new ids',
  ),
  tipo: nullable.text('Type, a free label: CCB, CCI, CPR…; null when types differ'),
  valorOriginal: nullable.text(
    'Original value, from the first amount up to but excluding the second: `R$ 400.000,00 a R$ 500.000,00`',
  ),
  saldoDevedor: nullable.text('Outstanding balance, as in `valorOriginal`; `R$ 0,00` when nothing is owed'),
  taxa: nullable.text(
    'Rate as displayed, from the first rate up to but excluding the second: `12,00% a 13,00% a.a.`, `IPCA + 8,00% a 9,00% a.a.`; null when indexers differ',
  ),
  dataEmissao: nullable.text('Time of issue: `05/2026`, `1º semestre de 2026`, `2026` or `2024 a 2026`'),
  dataVencimento: nullable.text('Time of maturity, in the same forms as `dataEmissao`'),
  parcelas: nullable.text('Number of instalments: `48`, or `13 a 48`, both ends included'),
  parcelasPagas: nullable.text('Number of paid instalments, in dozens: `0`, `1 a 12`, `13 a 36`, both ends included'),
  diasAtraso: nullable.text(
    'Calendar days since the oldest unpaid instalment fell due, by the bands of the report: `0`, `1 a 30`, `0 a 60`, `91 ou mais`, both ends included; null when the group spans all numbers',
  ),
  faixaAtraso: nullable.text('Band of the days late: A vencer, 1-30, 31-60, … 360+; null when bands differ'),
  uf: nullable.text('Federative unit (state) of the debtor; null when it differs or is not known'),
  status: nullable.text('Ativo, Liquidado, Inadimplente or Baixado; null when it differs'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of the inventory of an operation.' })
export class InventoryPage extends fields({
  available: flag('Always true in this type'),
  page: int('Number of this page, from 1'),
  limit: int('Maximum number of credits per page'),
  total: int('Number of credits in the whole inventory'),
  items: list(
    () => InventoryItem,
    'The credits, ordered by id. The order carries no information and changes when ids change',
  ),
}) {
  readonly __typename = 'InventoryPage';
}

@ObjectType({ simpleResolvers: true, description: 'Totals of an inventory.' })
export class InventorySummary extends fields({
  contratos: int('Number of credits with a balance'),
  devedores: int('Number of their debtors'),
  saldoDevedor: text('Outstanding balance: `R$ 1.234.567,89`'),
  valorOriginal: text('Total original value of these credits'),
  ticketMedio: nullable.text('Average balance of a credit'),
  faixas: list(() => AgingBand, 'Balance by days late'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Reason why the inventory is not published, with its totals.' })
export class InventoryUnavailable extends fields({
  available: flag('Always false in this type'),
  reason: text('Reason why the credits are not published one by one'),
  resumo: nullable.of(
    () => InventorySummary,
    'Totals of the inventory; null when the operation has fewer than 5 debtors',
  ),
}) {
  readonly __typename = 'InventoryUnavailable';
}

export const Inventory = createUnionType({
  name: 'Inventory',
  description:
    'The credits of an operation: in pages, or as totals when there are too many. With fewer than 5 debtors neither is published.',
  types: () => [InventoryPage, InventoryUnavailable] as const,
});
