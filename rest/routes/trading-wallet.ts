import type { Route, CsvForm, CsvPage } from '../route.js';
import { noProfile, trading, walletParameters, currency } from './trading.js';
import { z } from 'zod';
import { pageSize } from './parameters.js';

const balance = z.object({ available: z.string(), locked: z.string(), total: z.string() });
type Balance = z.output<typeof balance>;
const known = z.string().nullable();

const pageForm = z.object({
  from: z.string(),
  to: z.string(),
  opening: balance,
  closing: balance,
  movements: z.array(
    z.object({
      postedAt: z.string(),
      journalId: z.string(),
      cause: z.string(),
      causeId: z.string(),
      orderId: known,
      reason: known,
      market: known,
      network: known,
      address: known,
      transaction: known,
      fee: known,
      available: z.string(),
      locked: z.string(),
      balance,
    }),
  ),
  nextToken: z.string().optional(),
});

const cellsOf = ({ available, locked, total }: Balance) => [available, locked, total];
const boundary = (moment: string, cause: string, held: Balance) =>
  [moment, '', cause, '', '', '', ...cellsOf(held)].concat(Array<string>(7).fill(''));

/** Rows with the opening balance first and the closing one last. @throws {Error} where the last movement does not lead to the closing balance */
function readPage(response: unknown, isFirst: boolean): CsvPage {
  const { from, to, opening, closing, movements, nextToken: next } = pageForm.parse(response);
  const rows = movements.map((one) => [
    one.postedAt,
    one.journalId,
    one.cause,
    one.causeId,
    one.available,
    one.locked,
    ...cellsOf(one.balance),
    ...[one.reason, one.orderId, one.market, one.network, one.address, one.transaction, one.fee].map(
      (cell) => cell ?? '',
    ),
  ]);
  if (isFirst) rows.unshift(boundary(from, 'opening', opening));
  if (next !== undefined) return { rows, next };
  const reached = movements.at(-1)?.balance ?? opening;
  if (reached.available !== closing.available || reached.locked !== closing.locked)
    throw new Error('The movements of a statement do not add up to its closing balance');
  return { rows: [...rows, boundary(to, 'closing', closing)], next: null };
}

const csv: CsvForm = {
  description:
    'The complete period, regardless of `limit` and `nextToken`, as UTF-8 with a header line. The line after it is the opening balance (`cause` is `opening`, `postedAt` the beginning of the period), the last line is the closing balance (`closing`, the end of the period); between them each movement has a line, with the `reason` if an operator posted it to correct the ledger. Amounts are plain numbers with a decimal point; text that a spreadsheet would read as a formula begins with an apostrophe. If the response ends early, its last line is not `closing`.',
  fileName: 'statement.csv',
  columns: [
    'postedAt',
    'journalId',
    'cause',
    'causeId',
    'available',
    'locked',
    'balanceAvailable',
    'balanceLocked',
    'balanceTotal',
    ...['reason', 'orderId', 'market', 'network', 'address', 'transaction', 'fee'],
  ],
  page: { limit: '100' },
  cursor: 'nextToken',
  read: readPage,
  example: [
    'postedAt;journalId;cause;causeId;available;locked;balanceAvailable;balanceLocked;balanceTotal;reason;orderId;market;network;address;transaction;fee',
    '2026-11-01T03:00:00.000Z;;opening;;;;1000.00;0.00;1000.00;;;;;;;',
    '2026-11-03T14:02:11.093Z;019a4c1e-5a5d-7c31-9b0e-7d2f5b1c6a90;order;019a4c1e-5a4f-7b02-8c11-2a9d0e7f3b54;-100.50;100.50;899.50;100.50;1000.00;;019a4c1e-5a4f-7b02-8c11-2a9d0e7f3b54;BTC/BRL;;;;',
    '2026-12-01T03:00:00.000Z;;closing;;;;899.50;100.50;1000.00;;;;;;;',
  ]
    .map((line) => `${line}\r\n`)
    .join(''),
};

const fetchStatement: Route = {
  ...trading,
  method: 'GET',
  path: '/v1/wallet/fetchStatement',
  operation: 'fetchStatement',
  scope: 'read',
  status: 200,
  summary: 'Get the statement of a wallet',
  description:
    'The movements of the wallet in one currency in a period: the opening balance, every movement with its cause, oldest first, and the closing balance. A period without `to` ends at the moment of the first page, for all pages. `Accept: text/csv` returns the complete period as a file; a company can receive two files at once. Every 100 movements count as a request; when half of the limit of a window is used, by files or by other requests, the file continues in the next window. A file that is not received within 10 minutes is aborted.',
  response: 'A page of the statement, or all of it as CSV.',
  errors: { 404: noProfile },
  parameters: {
    ...walletParameters,
    currency,
    from: { description: 'Beginning of the period, inclusive: an instant (RFC 3339).' },
    to: { description: 'End of the period, exclusive: an instant (RFC 3339). Omitted: now.' },
    limit: pageSize('Movements'),
    nextToken: {
      description: '`nextToken` of the previous page, with the same currency and period. Omitted: the first page.',
      schema: { maxLength: 500 },
    },
  },
  csv,
  example: { query: { currency: 'BRL', from: '2026-01-01T03:00:00Z', limit: '10' } },
};

export const tradingWalletRoutes: readonly Route[] = [
  {
    ...trading,
    method: 'GET',
    path: '/v1/wallet/fetchBalance',
    operation: 'walletBalances',
    operationId: 'fetchBalance',
    scope: 'read',
    status: 200,
    summary: 'Get the balances of a wallet',
    description:
      'The balances of the wallet in all currencies, by code, with the decimals of the currency. `locked` is the amount held for open orders and withdrawals.',
    response: 'The balances.',
    errors: { 404: noProfile },
    parameters: walletParameters,
    example: {},
  },
  fetchStatement,
];
