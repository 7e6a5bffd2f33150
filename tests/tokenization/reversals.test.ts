import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import type { Principal } from '../../shared/kernel/context.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { operator, testContext } from '../kit/context.js';
import { openTokenizationGraph } from './graph.js';
import { addCredit, addEstate, addInstalment, addSeries, calendarOf } from './series/kit.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';

let estate: string;

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
beforeEach(async () => {
  await graph.empty();
  estate = await addEstate(manager, 'PAT1');
});

const context = (principal: Principal = operator) => testContext({ manager: manager, clock: graph.clock, principal });
const run = (document: string, principal?: Principal): Promise<GraphResult> =>
  graph.executor.execute({ document: parse(document) }, context(principal));
const act = async (text: string): Promise<unknown> => {
  const { data, errors } = await run(`mutation { act: ${text} }`);
  expect(errors?.map(({ extensions, message }) => [message, extensions['details']])).toBeUndefined();
  return data?.['act'];
};
const codeOf = async (text: string, principal?: Principal) =>
  (await run(`mutation { act: ${text} }`, principal)).errors?.[0]?.extensions['code'];

const reversed =
  'reversePayment(ticker: "s1", installmentNumber: 1, reason: "the bank returned it") { status paidOn totalValue }';

test('a payment of holders that is reversed leaves instalment and price as they were, and stays in the history', async () => {
  const series = await addSeries(manager, estate, 'S1');
  await addInstalment(manager, series, 1, '2026-06-10', '100');
  await repriceAll(context(), { calendar: await calendarOf(manager) });
  const state = async () =>
    (await run('{ tranche(ticker: "S1") { unitPrice pricedOn schedule { nodes { status paidOn totalValue } } } }'))
      .data;
  const before = await state();
  expect(await codeOf(reversed)).toBe('CONFLICT');
  await act('recordPayment(ticker: "S1", installmentNumber: 1, paidOn: "2026-06-10") { status }');
  expect(await state()).toMatchObject({ tranche: { unitPrice: '0.00000000' } });
  expect(await codeOf(reversed.replace('the bank returned it', ' '))).toBe('BAD_REQUEST');
  expect(await codeOf(reversed, { kind: 'SESSION', id: 's', ownerId: 'a', scopes: ['confirmed'] })).toBe('FORBIDDEN');

  expect(await act(reversed)).toMatchObject({ status: 'PENDING', paidOn: null });
  expect(await state()).toEqual(before);
  expect(await codeOf(reversed)).toBe('CONFLICT');
  const kept: unknown[] = await manager.query(
    `SELECT v.status, i.reason FROM tokenization.schedule_entries_versions v JOIN shared.imports i ON i.id = v.superseded_by
     WHERE v.tranche_id = $1 AND v.status = 'PAID'`,
    [series],
  );
  expect(kept).toEqual([{ status: 'PAID', reason: 'the bank returned it' }]);
});

test('payments of a debtor are reversed from the last one on, with all that followed from them', async () => {
  const id = await addCredit(manager, estate, 'A', ['2026-05-10', '2026-06-10']);
  const state = async () => {
    const rows: unknown[] = await manager.query(
      `SELECT a.status, a.current_balance, a.received, a.paid_installments, a.next_due_date::text, i.installment_number, i.paid_amount,
         i.paid_on, i.status AS instalment, t.current_balance AS total FROM tokenization.assets a
       JOIN tokenization.asset_installments i ON i.asset_id = a.id
       LEFT JOIN tokenization.asset_totals t ON t.patrimony_id = a.patrimony_id AND t.status = a.status AND t.count > 0
       WHERE a.id = $1 ORDER BY i.installment_number`,
      [id],
    );
    return rows;
  };
  const reverse = (number: number) =>
    `reverseAssetPayment(assetId: "${id}", installmentNumber: ${number}, reason: "returned") { status currentBalance }`;
  const states = [await state()];
  for (const number of [1, 2]) {
    await act(
      `recordAssetPayment(assetId: "${id}", installmentNumber: ${number}, paidOn: "2026-06-0${number}") { status }`,
    );
    states.push(await state());
  }
  expect(await codeOf(reverse(1))).toBe('UNPROCESSABLE');
  expect(await state()).toEqual(states[2]);
  expect(await act(reverse(2))).toEqual({ status: 'ACTIVE', currentBalance: '600.00' });
  expect(await state()).toEqual(states[1]);
  expect(await act(reverse(1))).toEqual({ status: 'ACTIVE', currentBalance: '1200.00' });
  expect(await state()).toEqual(states[0]);
  const told: { payload: { data: unknown } }[] = await manager.query(
    `SELECT payload FROM shared.outbox WHERE topic = 'contract.status_changed' ORDER BY position`,
  );
  expect(told.map(({ payload }) => payload.data)).toMatchObject([
    { previousStatus: 'ACTIVE', status: 'SETTLED' },
    { previousStatus: 'SETTLED', status: 'ACTIVE' },
  ]);
});

test('a payment that two reverse at once is reversed once; one of which no act is known is reversed too', async () => {
  const id = await addCredit(manager, estate, 'A', ['2026-05-10', '2026-06-10']);
  const reverse = `reverseAssetPayment(assetId: "${id}", installmentNumber: 1, reason: "returned") { status }`;
  await act(`recordAssetPayment(assetId: "${id}", installmentNumber: 1, paidOn: "2026-06-01") { status }`);
  expect((await Promise.all([1, 2, 3].map(() => codeOf(reverse)))).filter((code) => code === undefined)).toHaveLength(
    1,
  );
  await manager.query(
    `UPDATE tokenization.asset_installments SET status = 'PAID', paid_amount = amount, paid_on = '2026-06-01' WHERE asset_id = $1`,
    [id],
  );
  expect(await act(reverse)).toEqual({ status: 'ACTIVE' });
  expect(await codeOf(reverse)).toBe('CONFLICT');
});
