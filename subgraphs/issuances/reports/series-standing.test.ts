import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { riskClasses } from '../../securities/risk-class.js';
import { factsOf } from '../../../tests/issuances/portfolio.js';
import { computeReport } from './report.js';
import { standingOf, type SeriesFacts } from './series-standing.js';

const day = '2026-10-31';
const due = '2026-10-30';

function series(changes: Partial<SeriesFacts> = {}): SeriesFacts {
  return {
    number: 1,
    ticker: 'A1',
    class: 'SENIOR',
    status: 'Ativa',
    issueDate: '2024-01-10',
    maturityDate: '2030-01-15',
    quantity: new Decimal(100),
    unitValue: new Decimal(1000),
    price: { date: due, value: new Decimal(10) },
    lastPriceDate: due,
    redemptionPaidOn: undefined,
    hasUnpaid: true,
    isPaidAtMaturity: false,
    ...changes,
  };
}
const price = (date: string, value = 10) => ({ date, value: new Decimal(value) });

describe('a series leaves the figures', () => {
  const redeemed = (endedOn: string | null) => ({ end: 'REDEEMED', endedOn });
  const matured = (endedOn: string) => ({ end: 'MATURED', endedOn });
  const paid = { hasUnpaid: false };
  test.each<[string, Partial<SeriesFacts>, object | undefined]>([
    ['not while it is priced and owed', {}, undefined],
    ['once its price is 0', { price: price('2026-10-05', 0) }, redeemed('2026-10-05')],
    [
      'once its redemption is paid, whatever the price of before',
      { redemptionPaidOn: '2026-09-15', price: price('2026-09-15') },
      redeemed('2026-09-15'),
    ],
    ['also without a price', { redemptionPaidOn: '2026-09-15', price: undefined }, redeemed('2026-09-15')],
    ['not by a redemption after which it has a price', { redemptionPaidOn: '2026-09-15' }, undefined],
    ['after its maturity, where nothing is unpaid', { maturityDate: '2026-10-15', ...paid }, matured('2026-10-15')],
    ['not after its maturity while something is unpaid', { maturityDate: '2026-10-15' }, undefined],
    ['not on its maturity, before it is paid', { maturityDate: day, ...paid }, undefined],
    ['on its maturity, once it is paid', { maturityDate: day, isPaidAtMaturity: true, ...paid }, matured(day)],
    ['by its status, after its last price', { status: 'RESGATADA antecipadamente' }, redeemed(null)],
    ['not by its status while it still gets prices', { status: 'Resgatada', lastPriceDate: day }, undefined],
    ['not by a status that says something else', { status: 'Distribuição encerrada', lastPriceDate: due }, undefined],
  ])('%s', (_promise, changes, expected) => {
    const { outstanding, ended } = standingOf([series(changes)], day, due);
    expect(ended).toEqual(expected === undefined ? [] : [{ number: 1, ticker: 'A1', class: 'SENIOR', ...expected }]);
    expect(outstanding).toHaveLength(expected === undefined ? 1 : 0);
  });
});

test.each<[string, Partial<SeriesFacts>, string | undefined, boolean]>([
  ['a price of the last due day is not stale', {}, due, false],
  ['one of the day before is', { price: price('2026-10-29') }, due, true],
  ['one of a later day is not', { price: price(day) }, due, false],
  ['a series without a price has a stale one', { price: undefined }, due, true],
  ['but not on its first day, when none is due', { price: undefined, issueDate: due }, due, false],
  ['after maturity no price is due', { price: price('2026-09-15'), maturityDate: '2026-09-15' }, due, false],
  ['where no due day is known none is stale', { price: price('2020-01-02') }, undefined, false],
])('%s', (_promise, changes, dueOn, stale) => {
  const one = series(changes);
  expect(standingOf([one], day, dueOn).outstanding).toEqual([
    expect.objectContaining({ stale, priceDate: one.price?.date ?? null }),
  ]);
});

const civilDay = fc
  .integer({ min: 0, max: 120 })
  .map((days) => new Date(Date.UTC(2026, 8, 1) + days * 86_400_000).toISOString().slice(0, 10));
const anySeries = fc.array(
  fc
    .record({
      class: fc.constantFrom(...riskClasses),
      status: fc.constantFrom('Ativa', 'Resgatada', 'Em distribuição'),
      maturityDate: civilDay,
      quantity: fc.integer({ min: 0, max: 5000 }).map((value) => new Decimal(value)),
      price: fc.option(
        fc.record({ date: civilDay, value: fc.integer({ min: 0, max: 9 }).map((value) => new Decimal(value)) }),
        { nil: undefined },
      ),
      redemptionPaidOn: fc.option(civilDay, { nil: undefined }),
      hasUnpaid: fc.boolean(),
      isPaidAtMaturity: fc.boolean(),
    })
    .map((changes) => series({ ...changes, lastPriceDate: changes.price?.date })),
  { maxLength: 6 },
);

test('each series is outstanding or ended, and what has ended changes no figure and no covenant', () => {
  const covenants = (['SUBORDINATION', 'COVERAGE'] as const).map((metric) => ({
    name: metric,
    metric,
    comparison: 'AT_LEAST' as const,
    threshold: new Decimal(20),
  }));
  const balance = new Decimal(1000);
  const facts = {
    ...factsOf([], day),
    lateness: [{ daysLate: 0, contracts: 1, balance }],
    covenants,
    priceDueOn: due,
  };
  fc.assert(
    fc.property(anySeries, (given) => {
      const all = given.map((one, index) => ({ ...one, number: index + 1 }));
      const { outstanding, ended } = standingOf(all, day, due);
      const numbers = [...outstanding, ...ended].map(({ number }) => number).sort((left, right) => left - right);
      expect(numbers).toEqual(all.map(({ number }) => number));
      const gone = new Set(ended.map(({ number }) => number));
      const whole = computeReport({ ...facts, series: all });
      const rest = computeReport({ ...facts, series: all.filter(({ number }) => !gone.has(number)) });
      expect(whole.subordination).toEqual({ ...rest.subordination, ended: [...ended] });
      expect(whole.covenants).toEqual(rest.covenants);
      expect(whole.subordination.total).toBe(sum(outstanding.map((one) => one.balance)).toFixed(2));
    }),
  );
});
