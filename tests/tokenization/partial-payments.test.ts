import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sum } from '../../shared/kernel/decimal.js';
import { markOverdueInstalments } from '../../subgraphs/tokenization/schedule/mark-overdue.js';
import {
  importTexts,
  printed,
  record,
  tranche,
  wholePatrimony,
} from '../../subgraphs/tokenization/import/tests/kit.js';
import { recordedByClock } from '../kit/as-of.js';
import { openTokenizationGraph } from './graph.js';
import { addEstate, addIndexValues, addInstalment, addSeries, calendarOf, follows } from './series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const calendar = await calendarOf(manager);

const total = '474330.95';
const due = { interest_value: '74330.95', principal_value: '400000.00', total_value: total };

beforeEach(async () => {
  await graph.empty();
  await graph.asOwner('TRUNCATE tokenization.index_values');
  graph.clock.set('2026-10-26T15:00:00Z');
  const terms = { late_fine_percent: '2', late_interest_percent: '1', late_interest_mode: 'SIMPLE_30' };
  await recordedByClock(graph.acting(), async (tx) => {
    const estate = await addEstate(tx.manager, 'PAT1');
    const series = await addSeries(tx.manager, estate, 'S1', { ...follows.di, rate: '2.75', ...terms });
    await addInstalment(tx.manager, series, 1, '2026-10-15', '40', due);
  });
  const days = ['15', '16', '19', '20', '21', '22', '23'];
  await addIndexValues(manager, 'DI', Object.fromEntries(days.map((day) => [`2026-10-${day}`, '14.90'])));
});

interface Instalment {
  readonly status: string;
  readonly openValue: string;
  readonly paid: { readonly totalValue: string };
  readonly payments: readonly { readonly id: string; readonly [field: string]: string | null }[];
}

const fields = `status totalValue openValue paidOn paid { interestValue principalValue totalValue }
  payments { id paidOn amount expenses fine mora remuneration interest principal premium reference reversedAt reversalReason }`;

async function act(text: string): Promise<Instalment> {
  const { data, errors } = await graph.operate(`mutation { act: ${text} { ${fields} } }`);
  expect(errors?.map(({ message, extensions }) => [message, extensions['details']])).toBeUndefined();
  return data?.['act'] as Instalment;
}
const pay = (args: string) => act(`recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-10-15", ${args})`);
const reverse = (args: string) => act(`reversePayment(ticker: "S1", installmentNumber: 1, reason: "returned"${args})`);

/** The code of a refusal, with its details. */
async function refusal(text: string): Promise<unknown> {
  const { errors } = await graph.operate(`mutation { ${text} { status } }`);
  const { code, details } = (errors?.[0]?.extensions ?? {}) as { code?: string; details?: object };
  return { code, details };
}
const refused = (args: string) => refusal(`recordPayment(ticker: "S1", installmentNumber: 1, ${args})`);
const events = async (): Promise<{ topic: string; data: Record<string, unknown> }[]> =>
  manager.query(
    `SELECT topic, payload -> 'data' AS data FROM shared.outbox WHERE topic LIKE 'payment.%' ORDER BY position`,
  );
/** What an operator reads: only operators see single payments. */
const data = async (document: string) => {
  const { data: found, errors } = await graph.operate(document);
  expect(errors).toBeUndefined();
  return found ?? {};
};
const read = async (selection: string) => {
  const { tranche: found } = await data(`{ tranche(ticker: "S1") { ${selection} } }`);
  return found as Record<string, unknown>;
};

describe('a payment of a part', () => {
  test('leaves the rest open, interest first, and the rest pays the instalment in full, which is announced once', async () => {
    expect(await pay('amount: "100000.00", reference: "TED-1"')).toMatchObject({
      status: 'PARTIALLY_PAID',
      totalValue: total,
      openValue: '374330.95',
      paidOn: null,
      paid: { interestValue: '74330.95', principalValue: '25669.05', totalValue: '100000.00' },
      payments: [{ amount: '100000.00', interest: '74330.95', principal: '25669.05', reference: 'TED-1' }],
    });
    expect(await events()).toEqual([]);
    const whole = await act('recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-10-16")');
    expect(whole).toMatchObject({ status: 'PAID', openValue: '0.00', paidOn: '2026-10-16', totalValue: total });
    expect(whole.payments[1]).toMatchObject({ amount: '374330.95', interest: '0.00', principal: '374330.95' });
    expect(await events()).toMatchObject([{ topic: 'payment.completed', data: { totalValue: total, status: 'PAID' } }]);
  });

  test('is overdue with what is open, and totals and arrears count only that', async () => {
    await pay('amount: "200000.00"');
    await markOverdueInstalments(graph.acting(), calendar);
    expect(await events()).toMatchObject([
      { topic: 'payment.overdue', data: { totalValue: total, openValue: '274330.95', status: 'OVERDUE' } },
    ]);
    const { upcomingPayments: upcoming } = await graph.data(
      '{ upcomingPayments(status: OVERDUE) { nodes { status openValue daysLate } totals { totalValue openValue } } }',
    );
    expect(upcoming).toEqual({
      nodes: [{ status: 'PARTIALLY_PAID', openValue: '274330.95', daysLate: 11 }],
      totals: { totalValue: total, openValue: '274330.95' },
    });
    const parts = await read(
      'overdueValue late: schedule(status: OVERDUE) { totalCount } part: schedule(status: PARTIALLY_PAID) { totalCount }',
    );
    expect(parts).toEqual({ overdueValue: '274.33095000', late: { totalCount: 0 }, part: { totalCount: 1 } });
    const { paymentSchedule } = await graph.data('{ paymentSchedule(ticker: "S1") { items { status openValue } } }');
    expect(paymentSchedule).toEqual({ items: [{ status: 'OVERDUE', openValue: '274330.95' }] });
    expect(await refusal('changeTrancheStatus(ticker: "S1", status: CLOSED)')).toMatchObject({ code: 'CONFLICT' });
  });

  test.each([
    ['amount: "474330.96"', 'amount', { name: 'open', value: total }],
    ['interestValue: "74330.96", principalValue: "1"', 'interestValue', { name: 'open', value: '74330.95' }],
    ['amount: "474331.00", premium: "0.04"', 'amount', { name: 'open', value: total }],
    ['amount: "1.00", expenses: "1.01"', 'amount', { name: 'named', value: '1.01' }],
    ['lateCharges: "0.01"', 'lateCharges', { name: 'charges', value: '0.00' }],
  ])('%s is refused, and the field and amount are named', async (args, path, value) => {
    const details = [expect.objectContaining({ path, values: [value] })];
    expect(await refused(`paidOn: "2026-10-15", ${args}`)).toEqual({ code: 'UNPROCESSABLE', details });
  });

  test('of too many decimals has no form', async () => {
    expect(await refused('paidOn: "2026-10-15", amount: "1.001"')).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'amount' }],
    });
  });

  test('of more than is due says to what the surplus goes', async () => {
    const { payments } = await pay('amount: "474400.00", premium: "60.00", expenses: "9.05"');
    expect(payments).toMatchObject([
      { amount: '474400.00', premium: '60.00', expenses: '9.05', principal: '400000.00' },
    ]);
  });

  test('with the same reference, or without one of the same day and amount, is the same payment', async () => {
    const first = await pay('amount: "10.00", reference: "A"');
    expect(await pay('amount: "10.00", reference: "A"')).toEqual(first);
    expect(await refused('paidOn: "2026-10-15", amount: "11.00", reference: "A"')).toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'reference' }],
    });
    const second = await pay('amount: "10.00"');
    expect(await pay('amount: "10.00"')).toEqual(second);
    expect(second.paid.totalValue).toBe('20.00');
    expect((await pay('amount: "10.00", reference: "B"')).paid.totalValue).toBe('30.00');
    expect(await refused('paidOn: "2026-10-15", amount: "1.00", reference: "não"')).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [{ path: 'reference' }],
    });
  });

  test('never exceeds what is due together with those of the same moment', async () => {
    const outcomes = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => refused(`paidOn: "2026-10-15", amount: "200000.00", reference: "${name}"`)),
    );
    expect(outcomes.filter((outcome) => JSON.stringify(outcome) === '{}')).toHaveLength(2);
    const { schedule } = await read(`schedule { nodes { ${fields} } }`);
    const { nodes } = schedule as { nodes: Instalment[] };
    expect(nodes[0]?.paid.totalValue).toBe('400000.00');
  });
});

describe('a reversal', () => {
  test('takes one of two payments back, whichever it is, and the other stays', async () => {
    const { payments } = await pay('amount: "74330.95"');
    await pay('amount: "400000.00"');
    const one = payments[0]?.id ?? '';
    const left = await reverse(`, paymentId: "${one}"`);
    expect(left).toMatchObject({ status: 'PARTIALLY_PAID', paidOn: null, openValue: '74330.95', totalValue: total });
    expect(left.payments).toMatchObject([
      { id: one, reversedAt: expect.any(String), reversalReason: 'returned' },
      { amount: '400000.00', reversedAt: null },
    ]);
    expect(
      await refusal(`reversePayment(ticker: "S1", installmentNumber: 1, reason: "r", paymentId: "${one}")`),
    ).toMatchObject({ code: 'CONFLICT' });
    expect(await pay('interestValue: "74330.95", principalValue: "0"')).toMatchObject({
      status: 'PAID',
      openValue: '0.00',
    });
    const [first, second, third] = await events();
    expect([first, second]).toMatchObject([
      { topic: 'payment.completed' },
      { topic: 'payment.overdue', data: { openValue: '74330.95', correction: true } },
    ]);
    expect(third).toMatchObject({ topic: 'payment.completed', data: { correction: true } });
  });

  test('without an id takes the last one back', async () => {
    await pay('amount: "1.00"');
    await pay('amount: "2.00"');
    expect(await reverse('')).toMatchObject({ status: 'PARTIALLY_PAID', paid: { totalValue: '1.00' } });
    expect(await reverse('')).toMatchObject({ status: 'PENDING', paid: { totalValue: '0.00' }, openValue: total });
    expect(await refusal('reversePayment(ticker: "S1", installmentNumber: 1, reason: "r")')).toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('is known at no moment before it', async () => {
    await pay('amount: "1.00"');
    const before = graph.clock.now().toISOString();
    await reverse('');
    const { tranche: past } = await data(
      `{ tranche(ticker: "S1", asOf: "${before}") { schedule(asOf: "${before}") { nodes { status payments { amount reversedAt } } } } }`,
    );
    expect(past).toEqual({
      schedule: { nodes: [{ status: 'PARTIALLY_PAID', payments: [{ amount: '1.00', reversedAt: null }] }] },
    });
  });
});

describe('late charges', () => {
  const charges = async (on = '2026-10-26') => {
    const { schedule } = await read(`schedule { nodes { lateCharges(on: "${on}") { fine mora remuneration total } } }`);
    return (schedule as { nodes: { lateCharges: Record<string, string | null> | null }[] }).nodes[0]?.lateCharges;
  };

  test('are fine, interest for the days, and the remuneration that goes on', async () => {
    // R$ 474,330.95, 11 days and 7 business days late: 2 %, 1 % × 11/30, and DI of 14.90 % with 2.75 %.
    expect(await charges()).toEqual({ fine: '9486.62', mora: '1739.21', remuneration: '2192.52', total: '13418.35' });
    expect(await charges('2026-10-15')).toBeNull();
    expect(await charges('2026-10-28')).toMatchObject({ fine: '9486.62', remuneration: null, total: null });
    await manager.query(`UPDATE tokenization.tranches SET late_interest_mode = 'COMPOUND'`);
    expect(await charges()).toMatchObject({ mora: '1733.74' });
    await manager.query(
      'UPDATE tokenization.tranches SET late_fine_percent = NULL, late_interest_percent = NULL, late_interest_mode = NULL',
    );
    expect(await charges()).toEqual({ fine: '0.00', mora: '0.00', remuneration: '0.00', total: '0.00' });
  });

  test('count each part until its payment, and go down by what is paid of them', async () => {
    await act('recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-10-20", amount: "200000.00")');
    expect(await charges()).toEqual({ fine: '9486.62', mora: '1339.21', remuneration: '1663.73', total: '12489.56' });
    const { payments } = await act(
      'recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-10-26", amount: "284330.95", lateCharges: "10000.00")',
    );
    expect(payments[1]).toMatchObject({
      fine: '9486.62',
      mora: '513.38',
      remuneration: '0.00',
      principal: '274330.95',
    });
    expect(await charges()).toMatchObject({ fine: '0.00' });
    const { total: left } = (await charges()) ?? {};
    const rest = `recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-10-26", lateCharges: "${left ?? ''}")`;
    expect(await act(rest)).toMatchObject({ status: 'PAID', openValue: '0.00' });
    expect(await charges()).toEqual({ fine: '0.00', mora: '0.00', remuneration: '0.00', total: '0.00' });
    expect(sum((await act(rest)).payments.map(({ amount }) => amount ?? '0')).gt(total)).toBe(true);
  });
});

test('an import states the terms of late payment, and changes nothing that an operator recorded as paid', async () => {
  await graph.empty();
  graph.clock.set('2026-10-26T15:00:00Z');
  const estate = (changes: object, terms = {}) =>
    wholePatrimony({
      assets: undefined,
      tranches: [
        tranche({
          ticker: 'S1',
          ...terms,
          schedule: [
            record('schedule', {
              calculationDate: '2026-10-15',
              dueDate: '2026-10-15',
              amortizationPercentage: '100',
              interestValue: '10.00',
              principalValue: '90.00',
              paidOn: null,
              ...changes,
            }),
          ],
        }),
      ],
    });
  const importing = async (file: object) =>
    printed(await importTexts(graph.acting(), { 'a.json': file }, { correct: 'r' }));
  const terms = { lateFinePercent: '2', lateInterestPercent: '1', lateInterestMode: null };
  expect(await importing(estate({}, terms))).toEqual([]);
  expect(await read('lateFinePercent lateInterestPercent lateInterestMode')).toEqual({
    lateFinePercent: '2.00',
    lateInterestPercent: '1.00',
    lateInterestMode: 'SIMPLE_30',
  });
  await pay('amount: "40.00"');
  expect(await importing(estate({}, terms))).toEqual([]);
  for (const changes of [{ paidOn: '2026-10-15' }, { interestValue: '11.00' }, { installmentNumber: '2' }])
    expect(await importing(estate(changes, terms))).toHaveLength(1);
  await pay('amount: "60.00"');
  expect(await importing(estate({}, terms))).toEqual([]);
  await reverse('');
  await reverse('');
  expect(await importing(estate({ paidOn: '2026-10-15' }, terms))).toEqual([]);
  const { schedule } = await read(`schedule { nodes { ${fields} } }`);
  const { nodes } = schedule as { nodes: Instalment[] };
  expect(nodes[0]).toMatchObject({ status: 'PAID', openValue: '0.00' });
  expect(nodes[0]?.payments.at(-1)).toMatchObject({ id: null, amount: '100.00', paidOn: '2026-10-15' });
  expect(await importing(estate({}, { lateInterestMode: 'COMPOUND', lateInterestPercent: null }))).toHaveLength(1);
});
