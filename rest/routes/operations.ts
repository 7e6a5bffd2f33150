import { z } from 'zod';
import { ApiError } from '../../shared/kernel/errors.js';
import { numberedCsv, wholeCsv } from '../csv-lists.js';
import type { Parameter, Route } from '../route.js';
import { pageSize } from './parameters.js';

const ticker: Parameter = {
  description:
    'Ticker of the operation, as in the address of its page on the website, or the slug of its estate. Case does not matter.',
};

const data = {
  method: 'GET',
  tag: 'Operation data',
  credential: 'apiKey',
  bucket: 'apiKey',
  status: 200,
} as const;

const unavailable = z.object({ available: z.literal(false) });

const inventoryCsv = numberedCsv({
  description:
    'The complete inventory. Ranges are the same texts as in JSON; `valorOriginal` and `saldoDevedor` are plain numbers if they are single amounts (`0.00`). An inventory that is not published credit by credit gets 406.',
  fileName: 'estoque.csv',
  items: 'items',
  exactTotal: true,
  columns: [
    'id',
    'tipo',
    'valorOriginal',
    'saldoDevedor',
    'taxa',
    'dataEmissao',
    'dataVencimento',
    'parcelas',
    'parcelasPagas',
    'diasAtraso',
    'faixaAtraso',
    'uf',
    'status',
  ],
  amounts: ['valorOriginal', 'saldoDevedor'],
  example: [
    'cEsKjY0wq3xq1lO3Vj8m5A;CCB;R$ 400.000,00 a R$ 500.000,00;R$ 100.000,00 a R$ 400.000,00;IPCA + 8,00% a 9,00% a.a.;1º semestre de 2025;2029;48;1 a 24;1 a 60;;SP;Ativo',
  ],
  demand: (response) => {
    if (!unavailable.safeParse(response).success) return;
    const message = 'There is no CSV of this inventory: it is not published credit by credit. Accept application/json';
    throw new ApiError('NOT_ACCEPTABLE', { message });
  },
});

const paymentsCsv = wholeCsv({
  description:
    'The payments of the operation: `pagamentos`. Days are the same texts as in JSON, amounts are plain numbers.',
  fileName: 'pagamentos.csv',
  items: 'pagamentos',
  columns: [
    'trancheTicker',
    'installmentNumber',
    'evento',
    'dueDate',
    'dataPagamento',
    'status',
    'interestValue',
    'principalValue',
    'totalValue',
    'openValue',
    'projected',
  ],
  amounts: ['interestValue', 'principalValue', 'totalValue', 'openValue'],
  example: [
    'AURORA1S1;1;Juros;15/06/2026;15/06/2026;PAID;35000.10;0.00;35000.10;0.00;false',
    'AURORA1S1;2;Juros e amortização;15/12/2026;;PENDING;34210.55;250000.00;284210.55;284210.55;true',
  ],
});

const noOperation = 'The operation does not exist or is not public.';
const example = { path: { ticker: 'CRI-AURORA' } };

export const operationRoutes: readonly Route[] = [
  {
    ...data,
    path: '/v1/emissoes/operacoes',
    operation: 'operationCards',
    summary: 'List operations',
    description:
      'All public operations as cards, with totals. `kpis` are always Volume, Remuneração, Vencimento, in this order.',
    response: 'The operations.',
    parameters: {},
    example: {},
  },
  {
    ...data,
    path: '/v1/emissoes/operacoes/:ticker',
    operation: 'operationDetail',
    summary: 'Get an operation',
    description:
      'All public data of an operation: series, prices, guarantees, documents, payments, obligations, participants, assemblies, communications and on-chain data.',
    response: 'The operation, or its payments as CSV.',
    errors: { 404: noOperation },
    parameters: { ticker },
    csv: paymentsCsv,
    example,
  },
  {
    ...data,
    path: '/v1/emissoes/operacoes/:ticker/relatorio-mensal/meses',
    operation: 'reportMonths',
    summary: 'List the months of the management report',
    description:
      'The months that have a management report, newest first. `details` has, for each month, whether the report is `preliminar` (the positions are not complete, and the report changes with the data) or `final`, its version, and whether data of the month was published after that version (`dataChanged`).',
    response: 'The months.',
    errors: { 404: noOperation },
    parameters: { ticker },
    example,
  },
  {
    ...data,
    path: '/v1/emissoes/operacoes/:ticker/relatorio-mensal',
    operation: 'managementReport',
    summary: 'Get the management report',
    description:
      'The public part of the management report: concentration, aging, provisioning, LTV, prepayment and covenants. The report of a month is `preliminar` and changes with the data until the positions of the month are complete; then it is `final`, and stored. A final report with errors is reissued as a new version; earlier versions remain available. Without `month` the report is computed from today’s position, and `month` is null in the response.',
    response: 'The report.',
    errors: {
      404: 'The operation does not exist or is not public, or has no report for the month, or no such version.',
    },
    parameters: {
      ticker,
      month: {
        description: 'The month, as `YYYY-MM`. Omitted: today’s position.',
        schema: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
        rule: 'must be a month, as YYYY-MM',
      },
      versao: {
        description:
          'A version of the final report of `month`, from 1. Omitted: the newest version, or the preliminary report.',
        schema: { type: 'integer', minimum: 1, maximum: 999_999 },
        rule: 'must be a whole number from 1 to 999999',
      },
    },
    example,
  },
  {
    ...data,
    path: '/v1/emissoes/operacoes/:ticker/estoque',
    operation: 'inventory',
    summary: 'List the inventory of credits',
    description:
      'The credits behind the operation, one by one, without names, tax ids or external ids. The values of a credit are those of a group with the credits of at least 5 debtors, which all show the same values: amounts and rates are ranges (`R$ 400.000,00 a R$ 500.000,00`), dates are months, half-years or years, and a value that the group does not have in common is null. If there are too many contracts to list, `available` is false and `resumo` is an aggregated summary; if there are fewer than 5 debtors, `available` is false and `resumo` is null.',
    response: 'A page of the inventory, or the reason why there is none; the complete inventory as CSV.',
    errors: { 404: noOperation, 406: 'CSV is requested, and the inventory is not published credit by credit.' },
    parameters: {
      ticker,
      page: {
        description: 'Page, from 1 to 1,000,000; 1 when omitted. A page after the last has no items.',
        schema: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
        rule: 'must be a whole number from 1 to 1000000',
      },
      limit: pageSize('Credits'),
    },
    csv: inventoryCsv,
    example: { ...example, query: { page: '1', limit: '20' } },
  },
];
