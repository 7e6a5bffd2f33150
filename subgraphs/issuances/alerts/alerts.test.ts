import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import {
  add,
  addCovenant,
  addOnchainContract,
  addOperation,
  addSeries,
  raiseRevision,
} from '../../../tests/issuances/fixtures.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';
import { excessOf } from './alert.js';
import type { Page } from '../../../tests/kit/pages.js';

// Today is 2026-11-20, a Friday.
const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
for (const [ticker, isPublic] of [
  ['ALERT', true],
  ['HIDDEN', false],
] as const) {
  const operation = await addOperation(manager, ticker, { is_public: isPublic });
  // One senior series: nothing is subordinated to it.
  await addSeries(manager, operation, 1, { ticker: `${ticker}1` });
  const covenant = (name: string, metric: string, comparison: string, threshold: string) =>
    addCovenant(manager, operation, { external_id: name, name, metric, comparison, threshold });
  await covenant('Subordinação mínima', 'SUBORDINATION', 'AT_LEAST', '5.0000');
  await covenant('Atraso máximo', 'OVERDUE_OVER_90', 'AT_MOST', '5.0000');
  await covenant('LTV', 'LTV', 'AT_MOST', '5.0000');
  const payment = { id: newId(), operation_id: operation, installment_number: 1, event: 'Juros' };
  await add(manager, 'payments', { ...payment, due_date: '2026-11-10', total_value: '10.50' });
  await add(manager, 'payments', { ...payment, id: newId(), event: 'Prêmio', due_date: '2026-11-20' });
  const obligation = (title: string, more: object) =>
    add(manager, 'obligations', {
      id: newId(),
      operation_id: operation,
      external_id: title,
      title,
      description: '',
      responsible: 'Cedente',
      periodicity: 'MONTHLY',
      due_date: '2026-11-01',
      grace_days: 5,
      ...more,
    });
  await obligation('Balanço', {});
  await obligation('Na carência', { grace_days: 30 });
  await obligation('Entregue', { delivered_date: '2026-11-02' });
  await obligation('Dispensada', { waived_date: '2026-11-02' });
}

const document = (args: string) => `{ operationAlerts${args === '' ? '' : `(${args})`} { totalCount unknownTickers
  totals { operations breachedCovenants overduePayments overdueAmount overdueObligations }
  nodes { kind operationTicker title dueDate daysLate amount responsible covenant { value threshold excess } }
  pageInfo { hasNextPage endCursor } } }`;

type Alerts = Page<{ readonly title: string }>;

const alerts = async (args = '') => (await graph.data(document(args)))['operationAlerts'] as Alerts;
const titles = ({ nodes }: Alerts) => nodes.map(({ title }) => title);

describe('operationAlerts', () => {
  test('are what is overdue or breached in public operations: covenants with the excess, payments, obligations', async () => {
    const payment = { kind: 'PAYMENT_OVERDUE', title: 'Juros', dueDate: '2026-11-10', daysLate: 10, amount: '10.50' };
    const obligation = {
      kind: 'OBLIGATION_OVERDUE',
      title: 'Balanço',
      daysLate: 19,
      responsible: 'Cedente',
      amount: null,
    };
    expect(await alerts()).toMatchObject({
      totalCount: 3,
      totals: {
        operations: 1,
        breachedCovenants: 1,
        overduePayments: 1,
        overdueAmount: '10.50',
        overdueObligations: 1,
      },
      nodes: [
        {
          kind: 'COVENANT_BREACHED',
          title: 'Subordinação mínima',
          dueDate: null,
          covenant: { threshold: '5.0000', excess: '5.0000' },
        },
        { ...payment, operationTicker: 'ALERT', covenant: null },
        obligation,
      ],
    });
  });

  test('are narrowed by kind and operation, and come in pages', async () => {
    expect(titles(await alerts('kinds: [OBLIGATION_OVERDUE]'))).toEqual(['Balanço']);
    expect(await alerts('tickers: ["HIDDEN"]')).toMatchObject({ totalCount: 0, unknownTickers: ['HIDDEN'] });
    expect(await alerts('tickers: [], kinds: []')).toEqual(await alerts());
    const first = await alerts('first: 2');
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await alerts(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect([...titles(first), ...titles(rest)]).toEqual(titles(await alerts()));
    const { errors } = await graph.run(document(`kinds: [PAYMENT_OVERDUE], after: "${first.pageInfo.endCursor}"`));
    expect(errors?.[0]?.extensions).toMatchObject({ details: [{ path: 'after' }] });
  });

  test('are kinds of each operation in the list, which a filter keeps', async () => {
    await addOperation(manager, 'CALM');
    await raiseRevision(manager);
    const listed = async (args: string) =>
      (await graph.data(`{ operations(sort: { field: TICKER }${args}) { totalCount nodes { ticker alertKinds } } }`))[
        'operations'
      ];
    const alerted = { ticker: 'ALERT', alertKinds: ['COVENANT_BREACHED', 'PAYMENT_OVERDUE', 'OBLIGATION_OVERDUE'] };
    expect(await listed('')).toEqual({ totalCount: 2, nodes: [alerted, { ticker: 'CALM', alertKinds: [] }] });
    expect(await listed(', alerted: true')).toEqual({ totalCount: 1, nodes: [alerted] });
    await manager.query("DELETE FROM issuances.operations WHERE ticker = 'CALM'");
    await raiseRevision(manager);
  });

  test('follow the data, and are not computed again while it is the same', async () => {
    await alerts();
    const again = await graph.countQueries(() => alerts());
    await manager.query("UPDATE issuances.obligations SET delivered_date = '2026-11-19' WHERE title = 'Balanço'");
    await raiseRevision(manager);
    expect(titles(await alerts())).toEqual(['Subordinação mínima', 'Juros']);
    expect(await graph.countQueries(() => alerts())).toBe(again);
    expect(again).toBeLessThanOrEqual(1);
  });
});

test.each([
  ['AT_MOST', '5.0000', '7.2500', false, '2.2500'],
  ['AT_LEAST', '20.0000', '12.5000', false, '7.5000'],
  ['AT_MOST', '5.0000', '5.0000', true, null],
  ['AT_MOST', '5.0000', null, null, null],
] as const)(
  'a figure that must be %s %s and is %s (fulfilled: %s) is beyond it by %s',
  (comparison, threshold, value, fulfilled, excess) => {
    expect(excessOf({ name: 'x', metric: 'LTV', comparison, threshold, value, fulfilled, caveat: null })).toBe(excess);
  },
);

const compare = (tickers: string) =>
  graph.run(
    `{ operationComparison(tickers: [${tickers}]) { unknownTickers operations { ticker report { covenants { name } } } } }`,
  );

test('operationComparison has each public operation once, in the order of the tickers, and names the others', async () => {
  await addOperation(manager, 'OTHER');
  expect((await compare('"other", "HIDDEN", "ALERT", "OTHER"')).data).toMatchObject({
    operationComparison: { unknownTickers: ['HIDDEN'], operations: [{ ticker: 'OTHER' }, { ticker: 'ALERT' }] },
  });
});

test('onchainContracts has the contracts of public operations in pages', async () => {
  for (const [index, ticker] of ['CHAIN-A', 'CHAIN-B', 'CHAIN-H'].entries()) {
    const operation = await addOperation(manager, ticker, { is_public: ticker !== 'CHAIN-H' });
    await addOnchainContract(manager, operation, { address: `0x${String(index).repeat(40)}`, name: ticker });
  }
  const page = (after: string) =>
    graph.data(
      `{ onchainContracts(first: 1${after}) { totalCount nodes { operationTicker } pageInfo { hasNextPage endCursor } } }`,
    );
  const first = (await page(''))['onchainContracts'] as { pageInfo: { endCursor: string } };
  expect(first).toMatchObject({
    totalCount: 2,
    nodes: [{ operationTicker: 'CHAIN-A' }],
    pageInfo: { hasNextPage: true },
  });
  expect((await page(`, after: "${first.pageInfo.endCursor}"`))['onchainContracts']).toMatchObject({
    nodes: [{ operationTicker: 'CHAIN-B' }],
    pageInfo: { hasNextPage: false },
  });
});
