import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { newId } from '../../../shared/kernel/ids.js';
import { overdueUntil, paymentWindow } from '../../securities/payments.js';
import { add, addOperation, addSeries } from '../../../tests/issuances/fixtures.js';
import { type Page } from '../../../tests/kit/pages.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';
import { paymentStatus } from './payment.js';

// Today is 2026-11-20, a Friday.
const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const [first, second, hidden] = [
  await addOperation(manager, 'PAY-A'),
  await addOperation(manager, 'PAY-B'),
  await addOperation(manager, 'PAY-H', { is_public: false }),
];
const series = await addSeries(manager, first, 1, { ticker: 'PAYA1' });
const payment = (operation: string, dueDate: string, more: object = {}) =>
  add(manager, 'payments', {
    id: newId(),
    operation_id: operation,
    installment_number: 1,
    event: `Juros ${dueDate}`,
    due_date: dueDate,
    ...more,
  });
await payment(first, '2026-11-10', { total_value: '10.50', interest_value: '10.50', principal_value: '0.00' });
await payment(first, '2026-11-12', { paid_date: '2026-11-12', total_value: '5.00' });
await payment(first, '2026-11-25', { series_id: series, total_value: '100.00', interest_value: '100.00' });
await payment(second, '2026-11-25', { total_value: '900.00', principal_value: '900.00' });
// Its interest is not known yet.
await payment(second, '2026-12-20', { principal_value: '50.00' });
await payment(second, '2027-06-20', { total_value: '7.00' });
await payment(hidden, '2026-11-25', { total_value: '1000.00' });

interface Payments extends Page<{
  readonly operationTicker: string;
  readonly dueDate: string;
  readonly daysLate: number | null;
}> {
  readonly totals: Readonly<Record<string, unknown>>;
  readonly byOperation: readonly object[];
  readonly unknownTickers: readonly string[];
}

const document = (args: string) => `{ operationPayments${args === '' ? '' : `(${args})`} {
  totalCount unknownTickers totals { count withoutValue interestValue principalValue totalValue }
  byOperation { operationTicker count totalValue } nodes { operationTicker seriesTicker dueDate status daysLate totalValue }
  pageInfo { hasNextPage endCursor } } }`;

async function payments(args = ''): Promise<Payments> {
  return (await graph.data(document(args)))['operationPayments'] as Payments;
}

const days = ({ nodes }: Pick<Payments, 'nodes'>) =>
  nodes.map(({ operationTicker, dueDate }) => `${operationTicker} ${dueDate}`);

describe('operationPayments', () => {
  test('lists what public operations pay in the next 90 days, with sums over all pages and for each operation', async () => {
    const found = await payments();
    expect(days(found).sort()).toEqual(['PAY-A 2026-11-25', 'PAY-B 2026-11-25', 'PAY-B 2026-12-20']);
    expect(found).toMatchObject({
      totalCount: 3,
      totals: { count: 3, withoutValue: 1, interestValue: '100.00', principalValue: '900.00', totalValue: '1000.00' },
      byOperation: [
        { operationTicker: 'PAY-B', count: 2, totalValue: '900.00' },
        { operationTicker: 'PAY-A', count: 1, totalValue: '100.00' },
      ],
    });
  });

  test('does not know a sum of payments of which none has a total, and a sum of no payments is 0', async () => {
    expect(await payments('tickers: ["PAY-B"], from: "2026-12-01", to: "2026-12-31"')).toMatchObject({
      totals: { count: 1, withoutValue: 1, interestValue: null, principalValue: null, totalValue: null },
    });
    expect(await payments('from: "2060-01-01", to: "2060-12-31"')).toMatchObject({
      totals: { count: 0, withoutValue: 0, interestValue: '0.00', principalValue: '0.00', totalValue: '0.00' },
    });
  });

  test('lists overdue and paid ones of the past, with their days late', async () => {
    expect((await payments('status: OVERDUE')).nodes).toEqual([
      {
        operationTicker: 'PAY-A',
        seriesTicker: null,
        dueDate: '2026-11-10',
        status: 'OVERDUE',
        daysLate: 10,
        totalValue: '10.50',
      },
    ]);
    expect((await payments('status: PAID')).nodes).toMatchObject([{ dueDate: '2026-11-12', daysLate: null }]);
  });

  test('is narrowed by operations and period, and names what it does not know; a hidden operation is unknown', async () => {
    const found = await payments(
      'tickers: ["pay-b", "ESTATE-PAY-A", "PAY-H", "NADA"], from: "2026-12-01", to: "2027-12-31"',
    );
    expect(days(found)).toEqual(['PAY-B 2026-12-20', 'PAY-B 2027-06-20']);
    expect(found.unknownTickers).toEqual(['PAY-H', 'NADA']);
    expect(await payments('tickers: ["NADA"]')).toMatchObject({ totalCount: 0, nodes: [] });
    expect(await payments('tickers: []')).toEqual(await payments());
  });

  test('asks the database as often for two operations as for one', async () => {
    const one = await graph.countQueries(() => payments('tickers: ["PAY-A"]'));
    expect(await graph.countQueries(() => payments('tickers: ["PAY-A", "PAY-B"]'))).toBe(one);
  });
});

test('the period of what is to come begins today, unless it lies in the past', () => {
  const today = '2026-11-20';
  expect(paymentWindow({}, today)).toEqual({ from: today, to: '2027-02-18', status: null });
  expect(paymentWindow({ to: '2026-11-01' }, today)).toEqual({ from: null, to: '2026-11-01', status: null });
  expect(paymentWindow({ from: '9999-12-30' }, today)).toEqual({ from: '9999-12-30', to: null, status: null });
  expect(paymentWindow({ status: 'PAID' }, today)).toEqual({ from: null, to: null, status: 'PAID' });
});

test('a payment is overdue by the last overdue day exactly when its status says so', () => {
  const calendar = createCalendar([
    { day: '2026-01-01', version: 1 },
    { day: '2026-11-20', version: 1 },
    { day: '2026-12-25', version: 1 },
  ]);
  const offset = fc.integer({ min: 0, max: 330 });
  fc.assert(
    fc.property(offset, offset, (due, now) => {
      const [dueDate, today] = [addDays('2026-01-10', due), addDays('2026-01-10', now)];
      const overdue = paymentStatus({ dueDate, paidDate: null }, today, calendar) === 'OVERDUE';
      expect(dueDate <= overdueUntil(today, calendar)).toBe(overdue);
    }),
  );
});

// 2026-11-20 is a Friday and a holiday.
const calendar = createCalendar([
  { day: '2026-01-01', version: 1 },
  { day: '2026-11-20', version: 1 },
]);

test.each([
  ['2026-11-18', '2026-11-17', 'PENDING'],
  ['2026-11-18', '2026-11-18', 'PENDING'],
  ['2026-11-18', '2026-11-19', 'OVERDUE'],
  // Due on a holiday before a weekend: payable on Monday the 23rd.
  ['2026-11-20', '2026-11-23', 'PENDING'],
  ['2026-11-20', '2026-11-24', 'OVERDUE'],
] as const)('unpaid, due on %s, it is on %s %s', (dueDate, today, status) => {
  expect(paymentStatus({ dueDate, paidDate: null }, today, calendar)).toBe(status);
});

test('once paid it is paid, from the day of the payment on', () => {
  const payment = { dueDate: '2026-11-10', paidDate: '2026-11-12' };
  expect(paymentStatus(payment, '2026-11-11', calendar)).toBe('OVERDUE');
  expect(paymentStatus(payment, '2026-11-12', calendar)).toBe('PAID');
});
