import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { followsDi, followsIpca, plainPolicy as plain, pricedRow } from '../../../tests/tokenization/formulas.js';
import { createDiTable, dailyRate, diFactor } from './di-factor.js';
import { isMissing, type Missing } from './missing.js';
import { addMonths } from '../../../shared/kernel/calendar/days.js';
import type { Indexer, UnitPriceEvent, UnitPricePolicy } from './policy.js';
import type { MonthProjections } from './price-index-factor.js';
import { fromStoredRow, toStoredRow } from './stored-row.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from './unit-price.js';

const holidays = ['2020-01-01', '2024-01-01', '2024-02-12', '2024-02-13', '2024-03-29', '2024-05-01', '2025-12-25'];
const calendar = createCalendar(holidays.map((day) => ({ day, version: 1 })));
const start = '2024-01-10';
const end = '2025-06-30';

/** Returns rates and index numbers for every day and month that a test may need, derived from a few drawn ones. */
function market(
  draws: readonly number[],
  without: { day?: string; month?: string } = {},
  on = calendar,
): UnitPriceInputs {
  const draw = (index: number) => draws[index % draws.length] ?? 0;
  const rates = [];
  for (let day = on.following('2023-12-01'), index = 0; day <= end; day = on.addBusinessDays(day, 1), index++)
    if (day !== without.day) rates.push({ day, rate: new Decimal(200 + (draw(index) % 36) * 50).div(100) });
  const numbers = new Map<string, Decimal>();
  let number = new Decimal(7000);
  for (let month = '2023-09', index = 0; month <= '2025-08'; month = addMonths(month, 1), index++) {
    number = number.times(new Decimal((draw(index) % 250) - 50).div(10_000).plus(1)).toDecimalPlaces(2);
    if (month !== without.month) numbers.set(month, number);
  }
  return { calendar: on, di: createDiTable(rates, on), indexNumbers: { IPCA: numbers, IGPM: numbers } };
}

/** Returns projections of every other month, each published twice, before the number of the month is, on the 10th of the next one. */
function projectionsOf(draws: readonly number[]): Required<UnitPriceInputs>['projections'] {
  const months = new Map<string, MonthProjections>();
  for (let month = '2023-10', index = 0; month <= '2025-08'; month = addMonths(month, 2), index++) {
    const percent = (extra: number) => new Decimal(((draws[index % draws.length] ?? 0) + extra) % 200).div(100);
    months.set(month, {
      numberPublishedOn: `${addMonths(month, 1)}-10`,
      projections: [
        { publishedOn: `${month}-08`, percent: percent(0) },
        { publishedOn: `${month}-24`, percent: percent(7) },
      ],
    });
  }
  return { IPCA: months, IGPM: months };
}

const draws = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 40 });
const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => new Decimal(value).div(100));
const dayFrom = (first: string, last: string) =>
  fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
const laterDay = dayFrom('2024-01-11', end);

const bases = ['START', 'YEARLY', 'ANNIVERSARY', 'LAST_EVENT'] as const;

const indexer: fc.Arbitrary<Indexer> = fc.oneof(
  fc.constant({ kind: 'NONE' as const }),
  fc.record({
    kind: fc.constant('DI' as const),
    percentage: hundredths(150),
    lagBusinessDays: fc.constantFrom(0, 2),
  }),
  fc.record({
    kind: fc.constant('PRICE_INDEX' as const),
    index: fc.constantFrom('IPCA' as const, 'IGPM' as const),
    lagMonths: fc.constantFrom(1, 2),
    anniversaryDay: fc.integer({ min: 1, max: 31 }),
    proRata: fc.constantFrom(...(['BUSINESS_DAYS', 'CALENDAR_DAYS', 'CALENDAR_DAYS_FOLLOWING'] as const)),
    base: fc.constantFrom(...bases),
    projection: fc.constantFrom(...(['PROVISIONAL', 'NONE', 'SETTLED_BY_DIFFERENCE'] as const)),
  }),
);

const events: fc.Arbitrary<UnitPriceEvent[]> = fc.uniqueArray(laterDay, { maxLength: 6 }).chain((days) =>
  fc.tuple(
    ...days.sort().map((calculationDate) =>
      fc
        .tuple(fc.constantFrom('PAID' as const, 'INCORPORATED' as const, 'ACCRUED' as const), hundredths(40))
        .map(([interest, share]) => ({
          calculationDate,
          interest,
          amortizationPercentage: interest === 'ACCRUED' ? new Decimal(0) : share,
        })),
    ),
  ),
);

const policy: fc.Arbitrary<UnitPricePolicy> = fc.record({
  startDate: fc.constant(start),
  issueValue: fc.integer({ min: 1, max: 2_000_000_000 }).map((value) => new Decimal(value).div(100_000)),
  dayCount: fc.constantFrom('BUS252' as const, 'CIVIL_365' as const, 'CIVIL_360' as const),
  rate: hundredths(20),
  indexer,
  amortizationOf: fc.constant('BALANCE' as const),
  events,
});

const digits = (outcome: UnitPriceRow | Missing) => toStoredRow(pricedRow(outcome));

describe('the unit price', () => {
  test('from an earlier row is the one from the start, digit for digit', () => {
    fc.assert(
      fc.property(policy, draws, fc.uniqueArray(laterDay, { minLength: 1, maxLength: 8 }), (series, drawn, days) => {
        const fresh = () => ({ ...market(drawn), projections: projectionsOf(drawn) });
        const inputs = fresh();
        let reached = pricedRow(unitPrice(series, start, inputs));
        for (const day of days.sort()) {
          reached = pricedRow(advance(series, fromStoredRow(toStoredRow(reached)), day, inputs));
          expect(toStoredRow(reached)).toEqual(digits(unitPrice(series, day, fresh())));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('is never more than its exact factors make it', () => {
    fc.assert(
      fc.property(policy, draws, laterDay, (series, drawn, day) => {
        const found = pricedRow(unitPrice(series, day, market(drawn)));
        const exactVna = found.vne.times(found.indexFactor);
        expect(found.vna.lte(exactVna)).toBe(true);
        expect(exactVna.minus(found.vna).lt('0.00000001')).toBe(true);
        expect(found.unitPrice.lte(exactVna.times(found.interestFactor))).toBe(true);
        expect(found.nextVne.gte(0)).toBe(true);
      }),
    );
  });

  test('is not guessed from a row of another calendar', () => {
    const earlier = createCalendar([...holidays, '2024-01-16'].map((day) => ({ day, version: 2 })));
    const inputs = market([1000]);
    const previous = pricedRow(unitPrice(onDi, '2024-02-01', market([1000], {}, earlier)));
    expect(digits(advance(onDi, previous, '2024-02-02', inputs))).toEqual(
      digits(unitPrice(onDi, '2024-02-02', inputs)),
    );
  });
});

const onDi = { ...plain, indexer: followsDi };
const onIpca = { ...plain, indexer: followsIpca };

describe('what is not published', () => {
  test('a missing DI day is named, and never yields a price, from the start or from an earlier row', () => {
    fc.assert(
      fc.property(dayFrom(start, end), fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 2), (some, later, lag) => {
        const day = calendar.preceding(some) < start ? calendar.following(some) : calendar.preceding(some);
        const series = { ...onDi, indexer: { ...onDi.indexer, lagBusinessDays: lag } };
        const inputs = market([1000], { day });
        const named = { missing: { index: 'DI', day } };
        const first = calendar.addBusinessDays(day, lag);
        const after = calendar.addBusinessDays(first, later);
        expect(unitPrice(series, after, inputs)).toEqual(named);
        const previous = pricedRow(unitPrice(series, first, inputs));
        expect(advance(series, previous, after, inputs)).toEqual(named);
      }),
    );
  });

  test('a missing index month is named, and never yields a price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.constantFrom(1, 2), (offset, lagMonths) => {
        // The anniversary period that begins in a month uses the number of `lagMonths` before its end.
        const month = addMonths('2024-02', offset);
        const series = { ...onIpca, indexer: { ...onIpca.indexer, lagMonths } };
        const inputs = market([7, 90, 120], { month: addMonths(month, 1 - lagMonths) });
        expect(isMissing(unitPrice(series, `${month}-15`, inputs))).toBe(false);
        const named = { missing: { index: 'IPCA', month: addMonths(month, 1 - lagMonths) } };
        for (const day of [`${addMonths(month, 1)}-14`, `${addMonths(month, 1)}-15`, '2025-06-20'])
          expect(unitPrice(series, day, inputs)).toEqual(named);
      }),
    );
  });

  test('with no rate at all, the first day is named', () => {
    const inputs = { ...market([1000]), di: createDiTable([], calendar) };
    expect(unitPrice(onDi, '2024-01-13', inputs)).toEqual({ missing: { index: 'DI', day: '2024-01-10' } });
  });
});

describe('the DI factor', () => {
  /** The same rule with integers: 16 decimals as integers, where division truncates. */
  function inWholeNumbers(rates: readonly Decimal[], percentage: Decimal): string {
    const unit = 10n ** 16n;
    let product = unit;
    for (const rate of rates) {
      const tdi = BigInt(dailyRate(rate).times('1e8').toFixed(0));
      const factor = unit + (tdi * BigInt(percentage.times('1e4').toFixed(0)) * unit) / 10n ** 14n;
      product = (product * factor) / unit;
    }
    return new Decimal(((product + 5n * 10n ** 7n) / 10n ** 8n).toString()).div('1e8').toString();
  }

  test('truncates every day at 16 decimals and rounds once at 8', () => {
    fc.assert(
      fc.property(fc.array(hundredths(30), { maxLength: 300 }), hundredths(150), (rates, percentage) => {
        expect(diFactor(rates, percentage).toString()).toBe(inWholeNumbers(rates, percentage));
      }),
      { numRuns: 30 },
    );
  });

  test('after the newest rate is that rate where it is held, and missing where it is not', () => {
    const rates = ['2024-01-10', '2024-01-11', '2024-01-12'].map((day, index) => ({
      day,
      rate: new Decimal(10 + index),
    }));
    const stretch = {
      from: '2024-01-11',
      to: '2024-01-18',
      product: new Decimal(1),
      percentage: new Decimal(100),
      lagBusinessDays: 0,
    };
    const held = createDiTable(rates, calendar, 'HELD').accrue(stretch);
    if (isMissing(held)) throw new Error('The newest rate is held');
    // Thursday and Friday have rates of their own; Monday to Wednesday have Friday's.
    const whole = diFactor(
      [11, 12, 12, 12, 12].map((rate) => new Decimal(rate)),
      new Decimal(100),
    );
    expect(held.toDecimalPlaces(8).toString()).toBe(whole.toString());
    const missing = { missing: { index: 'DI', day: '2024-01-15' } };
    expect(createDiTable(rates, calendar).accrue(stretch)).toEqual(missing);
    expect(createDiTable(rates, calendar, 'MISSING').accrue(stretch)).toEqual(missing);
  });

  test('a rate of a day that is no business day is refused', () => {
    expect(() => createDiTable([{ day: '2024-02-12', rate: new Decimal(10) }], calendar)).toThrow(
      /2024-02-12, which is not a business day/,
    );
  });
});

describe('the index factor', () => {
  test('since another day is another truncation of the same value', () => {
    const onIndex = policy.filter(({ indexer: { kind } }) => kind === 'PRICE_INDEX');
    fc.assert(
      fc.property(onIndex, draws, laterDay, (series, drawn, day) => {
        const inputs = market(drawn);
        const [whole, ...others] = bases.map((base) => {
          if (series.indexer.kind !== 'PRICE_INDEX') throw new Error('The series follows no index');
          return pricedRow(unitPrice({ ...series, indexer: { ...series.indexer, base } }, day, inputs)).unitPrice;
        });
        for (const other of others) {
          const apart = whole?.minus(other).abs();
          expect(apart?.lte(other.times('1e-6').plus('1e-6'))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('since the last anniversary is that of one month at most, and since the last yearly one that of twelve', () => {
    const inputs = market([7, 90, 120]);
    const on = (base: (typeof bases)[number], day: string) =>
      pricedRow(unitPrice({ ...onIpca, indexer: { ...onIpca.indexer, base } }, day, inputs)).indexStart;
    expect(['2024-01-15', '2024-01-16', '2024-02-15', '2024-02-16'].map((day) => on('ANNIVERSARY', day))).toEqual([
      start,
      '2024-01-15',
      '2024-01-15',
      '2024-02-15',
    ]);
    expect(['2024-01-16', '2025-01-15', '2025-01-16', '2025-06-30'].map((day) => on('YEARLY', day))).toEqual([
      start,
      start,
      '2025-01-15',
      '2025-01-15',
    ]);
  });
});

describe('a policy', () => {
  const event = { calculationDate: '2024-06-10', interest: 'PAID', amortizationPercentage: new Decimal(10) } as const;
  const onIndex = (change: object): Partial<UnitPricePolicy> => ({ indexer: { ...onIpca.indexer, ...change } });
  test.each<[RegExp, Partial<UnitPricePolicy>]>([
    [/must be later than 2024-06-10/, { events: [event, event] }],
    [/must be later than/, { events: [{ ...event, calculationDate: start }] }],
    [/interest is left to accrue/, { events: [{ ...event, interest: 'ACCRUED' }] }],
    [/0 to 100/, { events: [{ ...event, amortizationPercentage: new Decimal(101) }] }],
    [
      /exceed the issue value/,
      {
        amortizationOf: 'ISSUE_VALUE',
        events: ['2024-06-10', '2024-07-10'].map((calculationDate) => ({
          ...event,
          calculationDate,
          amortizationPercentage: new Decimal(60),
        })),
      },
    ],
    ...[['2024-06-10', '2024-07-10'] as const, ['2024-07-10'] as const].map(
      (days): [RegExp, Partial<UnitPricePolicy>] => [
        /before interest is incorporated/,
        {
          amortizationOf: 'ISSUE_VALUE',
          events: days.map((calculationDate, index) => ({
            calculationDate,
            interest: index === days.length - 1 ? 'INCORPORATED' : 'PAID',
            amortizationPercentage: new Decimal(index === 0 ? 10 : 0),
          })),
        },
      ],
    ),
    [/must be positive/, { issueValue: new Decimal(0) }],
    [/at most 8 decimals/, { issueValue: new Decimal('1.000000001') }],
    [/above -100/, { rate: new Decimal(-100) }],
    [/must not be negative/, { indexer: { ...followsDi, percentage: new Decimal('-0.01') } }],
    ...[-1, 31, 1.5].map((lag): [RegExp, Partial<UnitPricePolicy>] => [
      /from 0 to 30 business days/,
      { indexer: { ...followsDi, lagBusinessDays: lag } },
    ]),
    ...[-1, 13].map((lagMonths): [RegExp, Partial<UnitPricePolicy>] => [
      /from 0 to 12 months/,
      { indexer: { ...onIpca.indexer, lagMonths } },
    ]),
    ...[0, 32].map((anniversaryDay): [RegExp, Partial<UnitPricePolicy>] => [
      /from 1 to 31/,
      { indexer: { ...onIpca.indexer, anniversaryDay } },
    ]),
    [/0 to 100/, { events: [{ ...event, amortizationPercentage: new Decimal(-1) }] }],
    [/at most 8 decimals/, { events: [{ ...event, amortizationPercentage: new Decimal('0.000000001') }] }],
    ...(['LAST_EVENT', 'ANNIVERSARY', 'YEARLY'] as const).map((base): [RegExp, Partial<UnitPricePolicy>] => [
      /Amortization of the issue value needs an index factor since the start/,
      { indexer: { ...followsIpca, base }, amortizationOf: 'ISSUE_VALUE', events: [event] },
    ]),
  ])('%s is the only fault', (message, change) => {
    expect(() => unitPrice({ ...plain, ...change }, '2024-03-01', market([1]))).toThrow(message);
  });

  test.each<[string, Partial<UnitPricePolicy>]>([
    ['with a DI that lags 30 days', { indexer: { ...followsDi, lagBusinessDays: 30 }, startDate: '2024-03-01' }],
    ['with no part of DI', { indexer: { ...followsDi, percentage: new Decimal(0) } }],
    [
      'that amortizes all of the issue value',
      { amortizationOf: 'ISSUE_VALUE', events: [{ ...event, amortizationPercentage: new Decimal(100) }] },
    ],
    [
      'that amortizes the issue value with an index factor since its start',
      { indexer: { ...followsIpca, base: 'START' }, amortizationOf: 'ISSUE_VALUE', events: [event] },
    ],
    [
      'that amortizes percentages of the balance that add up to more than 100',
      {
        events: ['2024-06-10', '2024-07-10'].map((calculationDate) => ({
          ...event,
          calculationDate,
          amortizationPercentage: new Decimal(60),
        })),
      },
    ],
    ['with a rate just above -100 %', { rate: new Decimal('-99.99') }],
    ['of a value with 8 decimals', { issueValue: new Decimal('0.00000001') }],
    ['without lag of its index, and its anniversary on day 1', onIndex({ lagMonths: 0, anniversaryDay: 1 })],
    [
      'with an index that lags 12 months, and its anniversary on day 31',
      onIndex({ lagMonths: 12, anniversaryDay: 31 }),
    ],
    ['with an event on its second day', { events: [{ ...event, calculationDate: '2024-01-11' }] }],
    ['that amortizes all of the balance', { events: [{ ...event, amortizationPercentage: new Decimal(100) }] }],
    ['with a share of 8 decimals', { events: [{ ...event, amortizationPercentage: new Decimal('0.00000001') }] }],
  ])('%s is taken', (_, change) => {
    expect(() => unitPrice({ ...plain, ...change }, '2024-03-01', market([1]))).not.toThrow();
  });

  test('has no price before its start, and none earlier than the row it is advanced from', () => {
    const inputs = market([1]);
    expect(() => unitPrice(plain, '2024-01-09', inputs)).toThrow(/starts on 2024-01-10/);
    const previous = pricedRow(unitPrice(plain, '2024-03-01', inputs));
    expect(() => advance(plain, previous, '2024-03-01', inputs)).toThrow(/is not later than/);
  });
});
