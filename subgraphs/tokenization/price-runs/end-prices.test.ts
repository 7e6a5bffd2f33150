import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { operator, testContext } from '../../../tests/kit/context.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addEstate, addInstalment, addSeries, calendarOf } from '../../../tests/tokenization/series/kit.js';
import { reversePayment } from '../schedule/reverse-payment.js';
import { recordPayment } from '../schedule/schedule.acts.js';
import { changeTrancheStatus } from '../tranches/tranches.acts.js';
import { repriceAll } from './reprice-all.js';

let series: string;

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const calendar = await calendarOf(manager);
const context = testContext({ manager, clock: graph.clock });
beforeEach(async () => {
  graph.clock.set('2026-06-20T15:00:00Z');
  await graph.asOwner('TRUNCATE tokenization.patrimonies, shared.outbox CASCADE');
  series = await addSeries(manager, await addEstate(manager, 'PAT1'), 'S1');
  await addInstalment(manager, series, 1, '2026-05-15', '40');
  await addInstalment(manager, series, 2, '2026-06-15', '100');
  await repriceAll(context, { calendar });
  await graph.asOwner('TRUNCATE shared.outbox');
});

const values = 'unitPrice nominalValue interestJ totalValue';

/** Returns the price in every view, which has to be the same in each. */
async function shown(): Promise<Record<string, unknown>> {
  const { list, tranche } = await graph.data(
    `{ list: tranches { nodes { ${values} } } tranche(ticker: "S1") { ${values} pricedOn } }`,
  );
  const { pricedOn, ...same } = tranche as Record<string, unknown>;
  expect(list).toEqual({ nodes: [same] });
  return { ...same, pricedOn };
}

const told = async () => {
  const rows: { payload: { data: Record<string, unknown> } }[] = await manager.query(
    `SELECT payload FROM shared.outbox WHERE topic = 'tranche.unit_price_updated' ORDER BY position`,
  );
  return rows.map(({ payload }) => payload.data);
};

const nothing = { unitPrice: '0.00000000', nominalValue: '0.00000000', interestJ: '0.00000000' };

test('a unit is worth nothing once the last instalment is paid, and that is announced once', async () => {
  await recordPayment(context, 'S1', 1, { paidOn: '2026-05-15' });
  expect(await shown()).toMatchObject({ nominalValue: '600.00000000', pricedOn: '2026-06-15' });
  expect(await told()).toEqual([]);
  await recordPayment(context, 'S1', 2, { paidOn: '2026-06-17' });
  expect(await shown()).toEqual({ ...nothing, totalValue: '0.00', pricedOn: '2026-06-17' });
  await recordPayment(context, 'S1', 2, { paidOn: '2026-06-17' });
  await changeTrancheStatus(context, 'S1', 'CLOSED');
  expect(await shown()).toEqual({ ...nothing, totalValue: '0.00', pricedOn: '2026-06-17' });
  expect(await told()).toEqual([
    {
      trancheTicker: 'S1',
      patrimonyTicker: 'PAT1',
      date: '2026-06-17',
      ...nothing,
      projected: false,
      correction: false,
    },
  ]);
});

test('a reversal shows the price of before again, and both changes of the day are announced', async () => {
  await recordPayment(context, 'S1', 1, { paidOn: '2026-05-15' });
  const { unitPrice, pricedOn } = await shown();
  await recordPayment(context, 'S1', 2, { paidOn: '2026-06-15' });
  await reversePayment(
    { ...context, principal: operator },
    { ticker: 'S1', installmentNumber: 2, reason: 'Devolvido' },
  );
  expect(await shown()).toMatchObject({ unitPrice, pricedOn });
  expect((await told()).map((one) => [one['date'], one['unitPrice'], one['correction']])).toEqual([
    ['2026-06-15', '0.00000000', true],
    ['2026-06-15', unitPrice, true],
  ]);
});

test('a correction afterwards changes the history, and not what is shown', async () => {
  await recordPayment(context, 'S1', 1, { paidOn: '2026-05-15' });
  await recordPayment(context, 'S1', 2, { paidOn: '2026-06-15' });
  await manager.query('UPDATE tokenization.tranches SET rate = 13, policy_version = 2');
  expect((await repriceAll(context, { calendar })).prices).toBeGreaterThan(0);
  expect(await shown()).toMatchObject(nothing);
  expect(await told()).toHaveLength(1);
});

test('a series whose instalments leave something of it keeps its price', async () => {
  await manager.query('UPDATE tokenization.schedule_entries SET amortization_percentage = 50');
  await manager.query('UPDATE tokenization.tranches SET policy_version = 2');
  await repriceAll(context, { calendar });
  for (const number of [1, 2]) await recordPayment(context, 'S1', number, { paidOn: '2026-06-15' });
  expect(await shown()).toMatchObject({ nominalValue: '250.00000000' });
});

test('a series that is withdrawn is worth nothing from its end on', async () => {
  await manager.query(`UPDATE tokenization.tranches SET status = 'FUNDRAISING'`);
  const ended = await changeTrancheStatus(context, 'S1', 'CLOSED');
  expect(ended).toMatchObject({ status: 'CLOSED', unitPrice: '0.00000000', pricedOn: '2026-06-20' });
  expect(await shown()).toMatchObject(nothing);
  expect(await told()).toHaveLength(1);
});
