import { afterAll, expect, test } from '@jest/globals';
import { add, addOperation, addSeries } from '../../../tests/issuances/fixtures.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

test('the return of a period has its payments; a yield needs the totals of all payments up to the maturity', async () => {
  const id = await addOperation(manager, 'EARN');
  const series = await addSeries(manager, id, 1, { ticker: 'EARN1', quantity: '100', maturity_date: '2027-11-19' });
  for (const [date, value] of [
    ['2026-10-14', '1000'],
    ['2026-10-15', '910'],
    ['2026-11-19', '915'],
  ])
    await add(manager, 'unit_prices', { series_id: series, date, value });
  const pay = (number: number, due: string, paid: string | null, total: string | null) =>
    add(manager, 'payments', {
      id: crypto.randomUUID(),
      operation_id: id,
      series_id: series,
      installment_number: number,
      event: 'Juros e amortização',
      due_date: due,
      paid_date: paid,
      total_value: total,
    });
  // 100.00 on each unit.
  await pay(1, '2026-10-15', '2026-10-16', '10000');
  await pay(2, '2027-11-19', null, '100650');
  const read = async () => {
    const { series: found } = await graph.data(`{ series(filter: { tickers: ["EARN1"] }) { nodes {
      one: priceReturn(from: "2026-10-14") { from to first last paid percent }
      after: priceReturn(from: "2026-10-15", to: "2026-11-19") { paid percent }
      early: priceReturn(from: "2025-01-01", to: "2026-10-15") { from percent }
      none: priceReturn(from: "2025-01-01", to: "2025-02-01") { percent }
      future: priceReturn(from: "2030-01-01", to: "2030-02-01") { percent }
      paid: unitPayments(from: "2026-10-14") { date value }
      before: unitPayments(from: "2025-01-01", to: "2025-02-01") { date }
      yieldToMaturity { date unitPrice percent duration } } } }`);
    return (found as { nodes: unknown[] }).nodes[0];
  };
  const known = {
    one: {
      from: '2026-10-14',
      to: '2026-11-19',
      first: '1000.00000000',
      last: '915.00000000',
      paid: '100.00000000',
      percent: '1.5000',
    },
    after: { paid: '0.00000000', percent: '0.5495' },
    early: { from: '2026-10-14', percent: '1.0000' },
    none: null,
    future: null,
    paid: [{ date: '2026-10-15', value: '100.00000000' }],
    before: [],
  };
  expect(await read()).toEqual({
    ...known,
    // 249 business days.
    yieldToMaturity: { date: '2026-11-19', unitPrice: '915.00000000', percent: '10.1264', duration: '0.9881' },
  });
  await pay(3, '2027-05-19', null, null);
  expect(await read()).toEqual({ ...known, yieldToMaturity: null });
});

test('the price of the engine is with a payment on its calculation day: a return that ends there leaves it out, one that begins there has it', async () => {
  const id = await addOperation(manager, 'CALC');
  const series = await addSeries(manager, id, 1, { ticker: 'CALC1', quantity: '100', maturity_date: '2026-10-15' });
  for (const [date, value] of [
    ['2026-10-14', '1000'],
    ['2026-10-15', '1010'],
    ['2026-10-16', '911'],
  ])
    await add(manager, 'unit_prices', { series_id: series, date, value });
  await add(manager, 'payments', {
    id: crypto.randomUUID(),
    operation_id: id,
    series_id: series,
    installment_number: 1,
    event: 'Juros',
    due_date: '2026-10-15',
    paid_date: '2026-10-15',
    total_value: '10000',
    priced_until: '2026-10-15',
  });
  const { series: found } = await graph.data(`{ series(filter: { tickers: ["CALC1"] }) { nodes {
    ends: priceReturn(from: "2026-10-14", to: "2026-10-15") { paid percent }
    begins: priceReturn(from: "2026-10-15", to: "2026-10-16") { paid percent }
    paid: unitPayments(from: "2026-10-14", to: "2026-10-16") { date value }
    whole: priceReturn(from: "2026-10-14", to: "2026-10-16") { paid percent } } } }`);
  expect((found as { nodes: unknown[] }).nodes[0]).toEqual({
    ends: { paid: '0.00000000', percent: '1.0000' },
    begins: { paid: '100.00000000', percent: '0.0990' },
    paid: [{ date: '2026-10-16', value: '100.00000000' }],
    whole: { paid: '100.00000000', percent: '1.1000' },
  });
});
