import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { add, addContract, addOperation } from '../../../tests/issuances/fixtures.js';
import { now, openTestGraph, type TestGraph } from '../../../tests/issuances/graph.js';
import { missingMonths, monthEndJob, storeMonthEnds } from './store-month-ends.js';

let graph: TestGraph;
let id: string;

beforeAll(async () => {
  graph = await openTestGraph();
  const { manager } = graph.dataSource;
  id = await addOperation(manager, 'MES');
  const contract = await addContract(manager, id, { outstanding_balance: '500', position_date: '2026-09-28' });
  for (const [month, closing] of [
    ['2026-07-01', '700'],
    ['2026-08-01', '600'],
  ]) {
    await add(manager, 'contract_positions', {
      operation_id: id,
      contract_id: contract,
      month,
      opening_balance: '800',
      scheduled_principal: '100',
      prepaid_principal: '0',
      closing_balance: closing,
      days_late: 40,
    });
  }
  await addOperation(manager, 'VAZIA');
});
afterAll(() => graph.close());

const months = async (ticker: string) => {
  const { reportMonths } = await graph.data(
    `query ($ticker: String!) { reportMonths(ticker: $ticker) { ticker months } }`,
    { ticker },
  );
  return reportMonths;
};
const report = async (month: string) => {
  const { managementReport } = await graph.data(
    `query ($month: String!) { managementReport(ticker: "MES", month: $month) {
      month position generatedAt carteira { saldoDevedor dataBase saldoVencido } prePagamento { meses { mes } } } }`,
    { month },
  );
  return managementReport;
};

test('months that have ended and have no report get one, each once; the current month gets none', async () => {
  expect(await months('mes')).toEqual({ ticker: 'MES', months: [] });
  expect(await storeMonthEnds(graph.context())).toBe(4);
  expect(await months('mes')).toEqual({ ticker: 'MES', months: ['2026-10', '2026-09', '2026-08', '2026-07'] });
  expect(await storeMonthEnds(graph.context())).toBe(0);
});

test('a month is made from its positions where there are any, else from the contracts as they are known', async () => {
  expect(await report('2026-08')).toEqual({
    month: '2026-08',
    position: '31/08/2026',
    generatedAt: new Date(now).toISOString(),
    carteira: { saldoDevedor: 'R$ 600,00', dataBase: '31/08/2026', saldoVencido: 'R$ 600,00' },
    prePagamento: { meses: [{ mes: '07/2026' }, { mes: '08/2026' }] },
  });
  expect(await report('2026-10')).toMatchObject({
    position: '31/10/2026',
    carteira: { saldoDevedor: 'R$ 500,00', dataBase: '28/09/2026', saldoVencido: 'R$ 0,00' },
  });
});

test('a stored month is never computed again, whatever comes in later', async () => {
  const { manager } = graph.dataSource;
  const before = await report('2026-10');
  await manager.query(`UPDATE issuances.credit_contracts SET outstanding_balance = 1, position_date = '2026-11-25'`);
  await storeMonthEnds(graph.context());
  expect(await report('2026-10')).toEqual(before);
  await expect(manager.query('UPDATE issuances.monthly_reports SET generated_at = now()')).rejects.toThrow(
    'never changed',
  );
  await expect(manager.query('DELETE FROM issuances.monthly_reports')).rejects.toThrow('never changed');
});

test('the month ends in São Paulo, and several missed months are made up for', async () => {
  graph.clock.set('2026-12-01T02:59:00Z');
  await monthEndJob.run(graph.context());
  expect(await months('mes')).toMatchObject({ months: expect.not.arrayContaining(['2026-11']) });
  graph.clock.set('2027-02-03T03:00:00Z');
  await monthEndJob.run(graph.context());
  expect(await months('mes')).toMatchObject({
    months: ['2027-01', '2026-12', '2026-11', '2026-10', '2026-09', '2026-08', '2026-07'],
  });
  graph.clock.set(now);
});

test('two instances that do it at once store each month once', async () => {
  graph.clock.set('2027-04-03T12:00:00Z');
  const counts = await Promise.all([storeMonthEnds(graph.context()), storeMonthEnds(graph.context())]);
  expect(counts[0] + counts[1]).toBe(2);
  graph.clock.set(now);
});

test('contracts that have moved on since make no report of an earlier month', () => {
  const operation = { operationId: id, positionMonths: ['2026-03'], storedMonths: ['2026-07'], baseMonth: '2026-06' };
  expect(missingMonths(operation, '2026-08').map(({ month, source }) => `${month} ${source}`)).toEqual([
    '2026-03 MONTH_END',
    '2026-06 NOW',
    '2026-08 NOW',
  ]);
  expect(missingMonths({ ...operation, baseMonth: '2026-09' }, '2026-08')).toHaveLength(1);
});

test('an operation without credits has no months', async () => {
  expect(await months('VAZIA')).toEqual({ ticker: 'VAZIA', months: [] });
});
