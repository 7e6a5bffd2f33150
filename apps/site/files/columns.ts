/** How a spreadsheet shows the values of a column. Amounts in BRL have 2 decimals, unit prices 8; the last three are written for people already. */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'day'
  | 'moment'
  | 'money'
  | 'price'
  | 'factor'
  | 'percent'
  | 'moneyText'
  | 'percentText'
  | 'dayText';

export const columnKinds = {
  ticker: 'text',
  slug: 'text',
  name: 'text',
  type: 'text',
  status: 'text',
  emissionDate: 'day',
  maturityDate: 'day',
  volume: 'money',
  rating: 'text',
  remuneration: 'text',
  seriesTicker: 'text',
  installmentNumber: 'integer',
  event: 'text',
  dueDate: 'day',
  paidDate: 'day',
  interestValue: 'money',
  principalValue: 'money',
  totalValue: 'money',
  premiumValue: 'money',
  openValue: 'money',
  title: 'text',
  responsible: 'text',
  periodicity: 'text',
  deliveredDate: 'day',
  position: 'day',
  comparison: 'text',
  threshold: 'factor',
  value: 'factor',
  fulfilled: 'text',
  // The inventory, as the documented path writes it
  id: 'text',
  tipo: 'text',
  valorOriginal: 'moneyText',
  saldoDevedor: 'moneyText',
  taxa: 'percentText',
  dataEmissao: 'dayText',
  dataVencimento: 'dayText',
  parcelas: 'text',
  parcelasPagas: 'text',
  diasAtraso: 'text',
  faixaAtraso: 'text',
  uf: 'text',
  date: 'day',
  unitPrice: 'price',
  nominalValue: 'price',
  interestJ: 'price',
  indexFactor: 'factor',
  diFactor: 'factor',
  spreadFactor: 'factor',
  interestFactor: 'factor',
  businessDays: 'integer',
  amortization: 'price',
  payment: 'price',
  version: 'integer',
  calculatedAt: 'moment',
  amortizationPercentage: 'percent',
  projected: 'text',
  paidOn: 'day',
  trancheCount: 'integer',
  assetCount: 'integer',
  totalIssued: 'money',
  createdAt: 'moment',
  externalId: 'text',
  debtorName: 'text',
  originalValue: 'money',
  currentBalance: 'money',
  interestRate: 'percent',
  installments: 'integer',
  paidInstallments: 'integer',
  finalDueDate: 'day',
  patrimonyName: 'text',
} as const satisfies Readonly<Record<string, ColumnKind>>;

export type ColumnName = keyof typeof columnKinds;

export type Cell = string | number | null;

/** Rows of a download. Decimals are text with a point, days are ISO dates, a missing value is null. */
export interface FileTable {
  readonly name: string;
  readonly columns: readonly ColumnName[];
  readonly rows: readonly (readonly Cell[])[];
}
