import { afterAll, expect, test } from '@jest/globals';
import { add, addOperation, addSeries } from '../../../tests/issuances/fixtures.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
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
      one: priceReturn(from: "2026-10-14") { from to first last paid factor percent }
      after: priceReturn(from: "2026-10-15", to: "2026-11-19") { paid percent }
      early: priceReturn(from: "2025-01-01", to: "2026-10-15") { from percent }
      none: priceReturn(from: "2025-01-01", to: "2025-02-01") { percent }
      future: priceReturn(from: "2030-01-01", to: "2030-02-01") { percent }
      paid: unitPayments(from: "2026-10-14") { date value unitPrice factor }
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
      // (910 + 100) ÷ 1000 × 915 ÷ 910.
      factor: '1.015549450549',
      percent: '1.5549',
    },
    after: { paid: '0.00000000', percent: '0.5495' },
    early: { from: '2026-10-14', percent: '1.0000' },
    none: null,
    future: null,
    paid: [{ date: '2026-10-15', value: '100.00000000', unitPrice: '910.00000000', factor: '1.010000000000' }],
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
    principal_value: '10000',
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
    begins: { paid: '100.00000000', percent: '0.1099' },
    paid: [{ date: '2026-10-16', value: '100.00000000' }],
    // 1010 ÷ 1000 × 911 ÷ 910.
    whole: { paid: '100.00000000', percent: '1.1110' },
  });
});

test.each([false, true])(
  'a paper that grows as the CDI does returns 100 % of it, whatever it pays (by the engine: %s)',
  async (byEngine) => {
    const id = await addOperation(manager, byEngine ? 'FULL' : 'HALF');
    const ticker = byEngine ? 'FULL1' : 'HALF1';
    const series = await addSeries(manager, id, 1, { ticker, quantity: '1', maturity_date: '2027-10-15' });
    let [price, cdi] = [new Decimal(1000), new Decimal(1)];
    for (const [number, end] of ['03', '04', '05', '06', '07', '10', '11', '12', '13', '14'].entries()) {
      const day = `2026-08-${end}`;
      const growth = new Decimal(1).plus(`0.000${String(500 + 7 * number)}`);
      const full = number === 0 ? price : price.times(growth);
      if (number > 0) cdi = cdi.times(growth);
      const value = number % 3 === 1 ? full.times(number).div(100).toDecimalPlaces(2) : new Decimal(0);
      price = full.minus(value);
      const shown = byEngine ? full : price;
      await add(manager, 'unit_prices', { series_id: series, date: day, value: shown.toFixed(8) });
      if (value.isZero()) continue;
      const paid = {
        installment_number: number,
        event: 'Juros',
        due_date: day,
        paid_date: day,
        principal_value: '0',
        total_value: value.toFixed(2),
      };
      const rest = {
        id: crypto.randomUUID(),
        operation_id: id,
        series_id: series,
        ...(byEngine && { priced_until: day }),
      };
      await add(manager, 'payments', { ...paid, ...rest });
    }
    const { series: found } = await graph.data(
      `{ series(filter: { tickers: ["${ticker}"] }) { nodes { priceReturn(from: "2026-08-03", to: "2026-08-14") { factor } } } }`,
    );
    const [{ priceReturn }] = (found as { nodes: [{ priceReturn: { factor: string } }] }).nodes;
    expect(new Decimal(priceReturn.factor).minus(1).div(cdi.minus(1)).times(100).toFixed(4)).toBe('100.0000');
  },
);

test('what is overdue on a unit is exact where the amounts together are, and each of them is not', async () => {
  const id = await addOperation(manager, 'LATE');
  const series = await addSeries(manager, id, 1, { ticker: 'LATE1', quantity: '3' });
  for (const [at, month] of ['08', '09', '10'].entries())
    await add(manager, 'payments', {
      ...{ id: crypto.randomUUID(), operation_id: id, series_id: series, event: 'Juros' },
      ...{ installment_number: at + 1, due_date: `2026-${month}-15`, total_value: '100' },
    });
  const { series: found } = await graph.data('{ series(filter: { tickers: ["LATE1"] }) { nodes { overdueValue } } }');
  expect(found).toEqual({ nodes: [{ overdueValue: '100.00000000' }] });
});
