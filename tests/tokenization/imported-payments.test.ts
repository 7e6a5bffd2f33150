import { afterAll, beforeEach, expect, test } from '@jest/globals';
import {
  csv,
  importTexts,
  printed,
  record,
  tranche,
  wholePatrimony,
} from '../../subgraphs/tokenization/import/tests/kit.js';
import { openTokenizationGraph } from './graph.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
beforeEach(() => graph.empty());

/** Runs an act of the operator; returns its result, or the code and the message of its error. */
async function act(text: string): Promise<unknown> {
  const { data, errors } = await graph.operate(`mutation { act: ${text} }`);
  return errors === undefined ? data?.['act'] : [errors[0]?.extensions['code'], errors[0]?.message];
}
const rows = (sql: string): Promise<Record<string, unknown>[]> => graph.dataSource.query(sql);
const events = async (topic: string) =>
  (await rows(`SELECT payload -> 'data' AS data FROM shared.outbox WHERE topic = '${topic}' ORDER BY position`)).map(
    ({ data }) => data,
  );
const imported = async (...given: [Parameters<typeof importTexts>[1], Parameters<typeof importTexts>[2]?]) => {
  const report = await importTexts(graph.acting(), ...given);
  expect(printed(report)).toEqual([]);
  return report;
};

/** An estate with a credit of instalments that were paid or not, in order; each of R$ 100.00. */
const portfolio = (paidOn: readonly (string | null)[], due = ['2026-02-10', '2026-05-10', '2026-07-10']) =>
  wholePatrimony({
    tranches: undefined,
    assets: [
      record('assets', {
        originalValue: '300.00',
        installments: paidOn.length,
        finalDueDate: null,
        paymentHistory: paidOn.map((day, index) =>
          record('installments', {
            installmentNumber: index + 1,
            amount: '100.00',
            dueDate: due[index] ?? '2026-07-10',
            paidOn: day,
          }),
        ),
      }),
    ],
  });
const credit = async () => {
  const [found] = await rows(
    `SELECT a.id, a.status, a.current_balance, a.received, a.paid_installments, a.next_due_date::text,
       (SELECT t.current_balance FROM tokenization.asset_totals t WHERE t.status = a.status AND t.count > 0) AS total FROM tokenization.assets a`,
  );
  return found ?? {};
};
const reverse = async (number: number, reason = 'never received') =>
  act(
    `reverseAssetPayment(assetId: "${String((await credit())['id'])}", installmentNumber: ${number}, reason: "${reason}") { status currentBalance }`,
  );

test('a payment that an import brought by mistake is reversed by the operator, with its reason, and its credit owes again', async () => {
  await imported({ 'a.json': portfolio(['2026-02-09', '2026-05-09', '2026-06-09']) });
  expect(await credit()).toMatchObject({ status: 'SETTLED', current_balance: '0.00', received: '300.00' });
  expect(await reverse(3)).toEqual({ status: 'ACTIVE', currentBalance: '100.00' });
  expect(await credit()).toMatchObject({
    status: 'ACTIVE',
    current_balance: '100.00',
    total: '100.00',
    received: '200.00',
    paid_installments: 2,
    next_due_date: '2026-07-10',
  });
  expect(await reverse(1)).toEqual({ status: 'DEFAULTED', currentBalance: '200.00' });
  expect(await events('contract.status_changed')).toMatchObject([
    { previousStatus: 'SETTLED', status: 'ACTIVE', currentBalance: '100.00' },
    { previousStatus: 'ACTIVE', status: 'DEFAULTED', currentBalance: '200.00' },
  ]);
  expect(await reverse(1)).toEqual(['CONFLICT', 'The instalment is not paid']);
  expect(
    await rows(`SELECT l.action, i.reason FROM tokenization.asset_installments_versions v JOIN shared.imports i ON i.id = v.superseded_by
      JOIN shared.audit_log l ON l.id = i.id WHERE v.status = 'PAID' ORDER BY i.id`),
  ).toEqual(Array(2).fill({ action: 'reverseAssetPayment', reason: 'never received' }));
});

test.each([
  [90, 'ACTIVE'],
  [91, 'DEFAULTED'],
])(
  'an unpaid instalment that is %i days late makes its credit %s, by an import and by a reversal',
  async (days, status) => {
    const now = graph.clock.now().getTime();
    const due = new Date(now - days * 86_400_000).toISOString().slice(0, 10);
    await imported({ 'a.json': portfolio([null, null], [due]) });
    expect(await credit()).toMatchObject({ status, next_due_date: due });
    await graph.empty();
    await imported({ 'a.json': portfolio([due, null], [due]) });
    expect(await reverse(1)).toMatchObject({ status });
    await graph.empty();
    const stated = (given: string) =>
      importTexts(graph.acting(), {
        'a.json': wholePatrimony({
          tranches: undefined,
          assets: [
            record('assets', { status: given, nextDueDate: due, currentBalance: '10', paymentHistory: undefined }),
          ],
        }),
      });
    const other = status === 'ACTIVE' ? 'DEFAULTED' : 'ACTIVE';
    expect(printed(await stated(other))).toHaveLength(1);
    expect(printed(await stated(status))).toEqual([]);
  },
);

test('the same file imported after a reversal is a payment again, and its other rows are written', async () => {
  const file = { 'a.json': portfolio(['2026-02-09', null, '2026-06-09']) };
  await imported(file);
  await reverse(3);
  expect((await credit())['received']).toBe('100.00');
  const { counts } = await imported(file);
  expect(counts).toContainEqual({ kind: 'installments', created: 0, changed: 1, unchanged: 2, removed: 0 });
  expect(await credit()).toMatchObject({ received: '200.00', current_balance: '100.00' });
  expect(await reverse(3)).toMatchObject({ currentBalance: '200.00' });
  await imported({ 'a.json': portfolio(['2026-02-09', null, null]) });
  expect(await credit()).toMatchObject({ received: '100.00', current_balance: '200.00' });
});

test('a part that an import had brought before the whole stays, and the balance is the one before', async () => {
  await imported({ 'a.json': portfolio([null, null, null]) });
  await imported({
    'i.csv': csv('installments', [
      { installmentNumber: '1', dueDate: '2026-02-10', amount: '100.00', paidAmount: '30.00', paidOn: '' },
    ]),
  });
  const before = await credit();
  expect(before).toMatchObject({ current_balance: '270.00', received: '30.00' });
  await imported({
    'i.csv': csv('installments', [
      { installmentNumber: '1', dueDate: '2026-02-10', amount: '100.00', paidAmount: '', paidOn: '2026-06-09' },
    ]),
  });
  await reverse(1);
  expect(await credit()).toEqual(before);
});

test('payments that an operator and imports brought are reversed in any mixture, the last one of the operator first', async () => {
  await imported({ 'a.json': portfolio([null, null, '2026-06-01']) });
  const id = String((await credit())['id']);
  for (const number of [1, 2])
    await act(`recordAssetPayment(assetId: "${id}", installmentNumber: ${number}, paidOn: "2026-06-09") { status }`);
  await imported({ 'a.json': { ...portfolio([null, null, null]), name: 'Another name' } }, { correct: 'a new name' });
  expect(await reverse(3)).toEqual({ status: 'ACTIVE', currentBalance: '100.00' });
  expect(await reverse(1)).toEqual([
    'UNPROCESSABLE',
    'The payment of instalment 2 was recorded later: reverse that one first',
  ]);
  expect(await reverse(2)).toEqual({ status: 'ACTIVE', currentBalance: '200.00' });
  expect(await reverse(1)).toEqual({ status: 'DEFAULTED', currentBalance: '300.00' });
});

test('an import cannot take a payment back, and says what can; with a reason it corrects the amount or the day of one', async () => {
  await imported({ 'a.json': portfolio(['2026-02-09', null, null]) });
  const changed = (cells: Readonly<Record<string, string>>) => ({
    'i.csv': csv('installments', [
      { installmentNumber: '1', dueDate: '2026-02-10', amount: '100.00', paidOn: '', ...cells },
    ]),
  });
  for (const paidAmount of ['0.00', '40.00'])
    expect(printed(await importTexts(graph.acting(), changed({ paidAmount }), { correct: 'wrong' }))).toEqual([
      'i.csv:2 paidAmount is less than amount, and the instalment was paid on 2026-02-09: only an operator takes a payment back (reverseAssetPayment)',
    ]);
  expect(
    printed(await importTexts(graph.acting(), changed({ paidAmount: '100.00', paidOn: '2026-02-08' }))),
  ).toHaveLength(1);
  await imported(changed({ paidAmount: '110.00', paidOn: '2026-02-08' }), { correct: 'the bank said so' });
  expect(
    await rows(`SELECT paid_amount, paid_on::text FROM tokenization.asset_installments WHERE status = 'PAID'`),
  ).toEqual([{ paid_amount: '110.00', paid_on: '2026-02-08' }]);
  expect(await credit()).toMatchObject({ received: '110.00' });
});

const series = (paidOn: string | null, changes = {}) =>
  wholePatrimony({
    assets: undefined,
    tranches: [
      tranche({
        schedule: [
          record('schedule', {
            dueDate: '2026-06-08',
            calculationDate: '2026-06-08',
            amortizationPercentage: '100',
            interestValue: '10.00',
            principalValue: '90.00',
            paidOn,
            ...changes,
          }),
        ],
      }),
    ],
  });
const reverseSeries = () =>
  act(
    'reversePayment(ticker: "AURORA-TK1", installmentNumber: 1, reason: "never paid") { installmentNumber status paidOn projected }',
  );

test('a payment of a series that an import brought by mistake is reversed by the operator, and its import is a payment again', async () => {
  await imported({ 'a.json': series('2026-06-09') });
  const left = wholePatrimony({
    assets: undefined,
    tranches: [
      tranche({
        schedule: [record('schedule', { installmentNumber: 2, dueDate: '2026-07-08', calculationDate: '2026-07-08' })],
      }),
    ],
  });
  expect(printed(await importTexts(graph.acting(), { 'a.json': left }, { correct: 'wrong' }))).toEqual([
    'a.json:8 tranches[0].schedule leaves out instalment 1, which was paid: an operator first takes its payment back (reversePayment)',
  ]);
  expect(await reverseSeries()).toMatchObject({ status: 'OVERDUE', paidOn: null });
  expect(await reverseSeries()).toEqual(['CONFLICT', 'The instalment is not paid']);
  expect(
    await rows(`SELECT l.action, i.reason FROM tokenization.schedule_entries_versions v JOIN shared.imports i ON i.id = v.superseded_by
      JOIN shared.audit_log l ON l.id = i.id WHERE v.status = 'PAID'`),
  ).toEqual([{ action: 'reversePayment', reason: 'never paid' }]);
  await imported({ 'a.json': series('2026-06-09') });
  expect(await rows('SELECT status, total_value FROM tokenization.schedule_entries')).toEqual([
    { status: 'PAID', total_value: '100.00' },
  ]);
  await reverseSeries();
  // Prices of its day are published.
  await imported({ 'a.json': left }, { correct: 'brought by mistake' });
});

test('a reversal of a series after the due day is announced as overdue again, and the payment that takes its place is marked, as corrections', async () => {
  await imported({ 'a.json': series(null) });
  const payIt = () =>
    act(
      'recordPayment(ticker: "AURORA-TK1", installmentNumber: 1, paidOn: "2026-06-09", interestValue: "10.00", principalValue: "90.00") { status }',
    );
  await payIt();
  await reverseSeries();
  await payIt();
  await reverseSeries();
  await imported({ 'a.json': series('2026-06-09') });
  const [first, ...replaced] = await events('payment.completed');
  expect(first).not.toHaveProperty('correction');
  expect(replaced).toMatchObject([
    { status: 'PAID', correction: true },
    { status: 'PAID', correction: true },
  ]);
  expect(await events('payment.overdue')).toMatchObject(
    Array(2).fill({ trancheTicker: 'AURORA-TK1', installmentNumber: 1, status: 'OVERDUE', correction: true }),
  );
});
