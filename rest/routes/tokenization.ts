import { continuedCsv, numberedCsv, wholeCsv } from '../csv-lists.js';
import type { Parameter, Route } from '../route.js';
import { pageSize, uuid } from './parameters.js';

const open = { method: 'GET', tag: 'Tokenization', credential: 'none', bucket: 'public', status: 200 } as const;

const ticker: Parameter = { description: 'Ticker of the series. Case does not matter.' };
const noSeries = 'There is no such series.';

function oneOf(description: string, ...words: readonly string[]): Parameter {
  return { description, rule: `must be one of ${words.join(', ')}` };
}

const nextToken: Parameter = {
  description: '`nextToken` of the previous page, with the same filter. Omitted: the first page.',
};

const patrimonyId: Parameter = {
  description: 'Id of an estate.',
  schema: { pattern: uuid },
  rule: 'must be a UUID',
};

const series = { path: { ticker: 'AURORA-TK1' } };

const seriesCsv = continuedCsv({
  description: 'All series that match the filters, with their current prices.',
  fileName: 'series.csv',
  items: 'items',
  columns: [
    'id',
    'ticker',
    'name',
    'status',
    'className',
    'unitPrice',
    'tokenQuantity',
    'patrimonyTicker',
    'remunerationStartDate',
    'remunerationPercentagePerYear',
    'projected',
  ],
  example: [
    '0190a000-0000-7000-8000-000000000003;AURORA-TK1;Aurora Sênior;ACTIVE;SENIOR;1044.06514123;1000;AURORA;2026-03-02;12.00;false',
  ],
});

const pricesCsv = continuedCsv({
  description: 'All unit prices of the period, oldest first.',
  fileName: 'unit-prices.csv',
  items: 'items',
  columns: [
    'date',
    'unitPrice',
    'nominalValue',
    'interestJ',
    'amortization',
    'payment',
    'version',
    'calculatedAt',
    'projected',
    'overdueValue',
  ],
  example: [
    '2026-03-03;1000.45045045;1000.00000000;0.45045045;0.000000000;0.000000000;1;2026-03-03T03:00:07.000Z;false;0.00000000',
  ],
});

const scheduleCsv = wholeCsv({
  description: 'The complete schedule.',
  fileName: 'payment-schedule.csv',
  items: 'items',
  columns: [
    'installmentNumber',
    'dueDate',
    'status',
    'interestPercentage',
    'principalPercentage',
    'interestValue',
    'principalValue',
    'totalValue',
    'projected',
    'openValue',
    'event',
    'premiumValue',
  ],
  example: [
    '1;2026-06-02;PAID;100.00;33.33;35000.10;411522.00;446522.10;false;0.00;;',
    '0;2026-12-02;PENDING;;;35100.00;200000.00;238100.00;true;238100.00;E1;3000.00',
  ],
});

const paymentsCsv = wholeCsv({
  description: 'The payments of the asset: all instalments of `paymentHistory`.',
  fileName: 'payments.csv',
  items: 'paymentHistory',
  columns: ['installmentNumber', 'dueDate', 'amount', 'paidAmount', 'paidOn', 'status', 'abatedAmount'],
  example: ['1;2026-03-10;600.00;600.00;2026-03-10;PAID;0.00', '2;2026-04-10;600.00;0.00;;PENDING;0.00'],
});

const assetsCsv = numberedCsv({
  description:
    'All assets that match the filters. Assets that are registered during the download may be included or not.',
  fileName: 'assets.csv',
  items: 'data',
  exactTotal: false,
  columns: [
    'id',
    'externalId',
    'type',
    'status',
    'debtorName',
    'debtorDocument',
    'originalValue',
    'currentBalance',
    'interestRate',
    'installments',
    'paidInstallments',
    'patrimonyId',
  ],
  example: [
    '0190a000-0000-7000-8000-000000000001;CCB-001;CCB;ACTIVE;Ipê Comércio S.A.;**.***.***/**DE-35;1000.00;800.00;12.00;12;3;0190a000-0000-7000-8000-000000000002',
  ],
});

export const tokenizationRoutes: readonly Route[] = [
  {
    ...open,
    path: '/public/tranches',
    operation: 'trancheList',
    summary: 'List series',
    description: 'The series of all estates, by ticker, with their current prices.',
    response: 'A page of series, or all of them as CSV.',
    parameters: {
      status: oneOf('Only series with this status.', 'DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED'),
      patrimonyTicker: {
        description:
          'Only series of the estate with this ticker; case does not matter. An unknown estate has no series.',
      },
      limit: pageSize(),
      nextToken,
    },
    csv: seriesCsv,
    example: { query: { status: 'ACTIVE', limit: '5' } },
  },
  {
    ...open,
    path: '/public/tranches/:ticker/details',
    operation: 'trancheDetails',
    missing: { message: 'There is no such series' },
    summary: 'Get a series',
    description: 'A series with its prices, its totals and its estate.',
    response: 'The series.',
    errors: { 404: noSeries },
    parameters: { ticker },
    example: series,
  },
  {
    ...open,
    path: '/public/tranches/:ticker/unit-prices',
    operation: 'unitPriceList',
    missing: { message: 'There is no such series' },
    summary: 'List the unit prices of a series',
    description:
      'The unit price of each priced day, oldest first. A corrected price is shown in its newest version. `projected` marks prices that were made with a projection of an index number.',
    response: 'A page of unit prices, or all of the period as CSV.',
    errors: { 404: noSeries },
    parameters: {
      ticker,
      from: { description: 'First day. Omitted: the day of the oldest price.' },
      to: { description: 'Last day, not before `from`. Omitted: the day of the newest price.' },
      limit: pageSize(),
      nextToken: { description: '`nextToken` of the previous page, with the same period. Omitted: the first page.' },
    },
    csv: pricesCsv,
    example: { ...series, query: { limit: '5' } },
  },
  {
    ...open,
    path: '/public/tranches/:ticker/payment-schedule',
    operation: 'paymentSchedule',
    summary: 'Get the payment schedule of a series',
    description:
      'All instalments of a series, paid and future, by number. Values are for all tokens of the series. The values of instalments whose day is not priced yet are projections: exact for a fixed rate; for a series with an index, computed with its newest rate or index number for all future days.',
    response: 'The schedule.',
    errors: { 404: noSeries },
    parameters: { ticker },
    csv: scheduleCsv,
    example: series,
  },
  {
    ...open,
    path: '/public/patrimonies',
    operation: 'patrimonyList',
    summary: 'List estates',
    description: 'The estates, by ticker, with the number of their series and assets and the amount issued.',
    response: 'A page of estates.',
    parameters: { limit: pageSize(), nextToken },
    example: { query: { limit: '5' } },
  },
  {
    ...open,
    path: '/public/assets',
    operation: 'assetList',
    summary: 'List assets',
    description:
      'The credit rights behind the series, in the order in which they were registered. An asset must match all filters. For a debtor that is a natural person (CPF, or an individual entrepreneur by the registered name) `debtorName` has the initials, `L. D. O.`; for a legal person it is the full name. The tax id of the debtor, and any other CPF, within `externalId` is masked.',
    response: 'A page of assets, or all of them as CSV.',
    parameters: {
      page: {
        description: 'Page, from 1; 1 when omitted. A page after the last has no assets.',
        schema: { type: 'integer', minimum: 1, maximum: 999_999_999, default: 1 },
        rule: 'must be a whole number from 1 to 999999999',
      },
      limit: pageSize('Items', 10),
      patrimonyId: {
        ...patrimonyId,
        description: 'Only assets of the estate with this id. An unknown estate has no assets.',
      },
      status: oneOf('Only assets with this status.', 'ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'),
      type: oneOf('Only assets of this type.', 'CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO'),
      search: {
        description:
          'Words to search, at most 10: only assets for which every word is part of the external id or of the name of a debtor that is a legal person (one of one or two characters the beginning of a word there). Case and accents are ignored; names of natural persons and tax ids within external ids are not searched. A word without a letter or digit, such as `%`, is 400.',
        schema: { type: 'string', maxLength: 100 },
        rule: 'must have at most 100 characters',
      },
    },
    csv: assetsCsv,
    example: { query: { page: '1', limit: '5', status: 'ACTIVE', search: 'alvorada' } },
  },
  {
    ...open,
    path: '/public/assets/summary',
    operation: 'assetSummary',
    summary: 'Get the summary of assets',
    description:
      'Totals of the assets of one estate, or of all estates. The summary is cached for five minutes. `defaultRate` is `defaultedAssets` divided by `totalAssets`, in percent; `totalValue` of a type is the original value of its assets.',
    response: 'The summary.',
    errors: { 404: 'There is no such estate.' },
    parameters: { patrimonyId: { ...patrimonyId, description: 'Id of an estate. Omitted: all estates.' } },
    example: {},
  },
  {
    ...open,
    path: '/public/assets/:id',
    operation: 'assetDetail',
    missing: { message: 'There is no such asset' },
    summary: 'Get an asset',
    description: 'An asset with its estate, its credit batch, and all instalments, paid and pending.',
    response: 'The asset, or its payments as CSV.',
    errors: { 404: 'There is no such asset.' },
    parameters: { id: { description: 'Id of the asset.', schema: { pattern: uuid }, rule: 'must be a UUID' } },
    csv: paymentsCsv,
    example: { path: { id: '0190a000-0000-7000-8000-000000000001' } },
  },
];

const contracts = {
  method: 'GET',
  tag: 'Developer',
  credential: 'developerKey',
  scope: 'contracts:read',
  bucket: 'apiKey',
  status: 200,
} as const;

export const contractRoutes: readonly Route[] = [
  {
    ...contracts,
    path: '/developer/contracts',
    operation: 'developerContracts',
    summary: 'List token contracts',
    description:
      'The contracts whose tokens are the units of series, by ticker of the series. `readAt` is the time at which the data of a contract was last read from the chain. Needs the scope `contracts:read`.',
    response: 'A page of contracts.',
    parameters: {
      limit: pageSize('Contracts'),
      nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
    },
    example: { query: { limit: '2' } },
  },
  {
    ...contracts,
    path: '/developer/contracts/:address',
    operation: 'developerContract',
    summary: 'Get a token contract',
    description:
      'A contract with the events of its tokens, newest first. Tokens that were transferred together are one event; `tokenIds` has the first 100 of them. Until an event is `final`, a reorganization of the chain can undo it. Needs the scope `contracts:read`.',
    response: 'The contract, and a page of its events.',
    errors: { 404: 'There is no such contract.' },
    parameters: {
      address: {
        description: 'Address of the contract; case does not matter.',
        schema: { pattern: '^0x[0-9a-fA-F]{40}$' },
        rule: 'must be an address: 0x and 40 hexadecimal digits',
      },
      limit: pageSize('Events'),
      nextToken: { description: '`nextToken` of the previous page. Omitted: the newest events.' },
    },
    example: { path: { address: '0x829aF52432aCd1Dc82FA6e7032E4bB35F1c3bc4b' }, query: { limit: '5' } },
  },
];
