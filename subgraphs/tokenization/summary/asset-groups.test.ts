import { afterAll, expect, test } from '@jest/globals';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addCredit, addEstate, addInstalment, addSeries, follows } from '../../../tests/tokenization/series/kit.js';

// Today is 2026-11-20.
const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const estate = await addEstate(manager, 'GROUP-A');
const other = await addEstate(manager, 'GROUP-B');
const credit = (of: string, name: string, status: string, balance: string) =>
  addCredit(manager, of, name, ['2026-12-01'], { status, original_value: '100.00', current_balance: balance });
await credit(estate, 'A1', 'ACTIVE', '75.00');
await credit(estate, 'A2', 'DEFAULTED', '20.00');
await credit(estate, 'A3', 'DEFAULTED', '5.00');
await credit(other, 'B1', 'ACTIVE', '300.00');
const series = await addSeries(manager, estate, 'GROUP-TK1');
await addInstalment(manager, series, 1, '2026-11-10', '50', { status: 'OVERDUE' });
await addInstalment(manager, series, 2, '2026-12-10', '100');
await addSeries(manager, estate, 'GROUP-TK2', follows.di);

async function groups(args: string): Promise<unknown> {
  const document = `{ assetGroups${args} { patrimonyTicker type status count currentBalance balanceShare } }`;
  return (await graph.data(document))['assetGroups'];
}

test('assetGroups adds up assets by the dimensions that are asked for, the largest balance first', async () => {
  const group = (patrimonyTicker: string, status: string, count: number, currentBalance: string, share: string) => ({
    patrimonyTicker,
    type: null,
    status,
    count,
    currentBalance,
    balanceShare: share,
  });
  expect(await groups('(by: [PATRIMONY, STATUS])')).toEqual([
    group('GROUP-B', 'ACTIVE', 1, '300.00', '100.00'),
    group('GROUP-A', 'ACTIVE', 1, '75.00', '75.00'),
    group('GROUP-A', 'DEFAULTED', 2, '25.00', '25.00'),
  ]);
  expect(await groups('')).toMatchObject([
    { patrimonyTicker: null, type: 'CCB', status: 'ACTIVE', count: 2, balanceShare: '93.75' },
    { status: 'DEFAULTED', count: 2, balanceShare: '6.25' },
  ]);
  expect(await groups(`(by: [], patrimonyId: "${estate}")`)).toMatchObject([
    { status: null, count: 3, currentBalance: '100.00' },
  ]);
});
