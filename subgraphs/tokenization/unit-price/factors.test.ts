import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { followsDi, plainPolicy, pricedRow, followsIpca } from '../../../tests/tokenization/formulas.js';
import { createDiTable } from './di-factor.js';
import { isMissing } from './missing.js';
import type { UnitPriceEvent, UnitPricePolicy, PriceIndexer } from './policy.js';
import { toStoredRow } from './stored-row.js';
import { advance, unitPrice, type UnitPriceInputs } from './unit-price.js';
import { restartsIndex, settle, type Unit } from './settle.js';
import { priceIndexFactorBetween, projectedNumber } from './price-index-factor.js';
import type { DayCount } from '../../securities/day-count.js';

// From Monday 8 January 2024 on, the whole year has no holiday.
const calendar = createCalendar([{ day: '2024-01-01', version: 1 }]);
const days = (first: string, end: string) => {
  const found: string[] = [];
  for (let day = first; day < end; day = calendar.addBusinessDays(day, 1)) found.push(day);
  return found;
};

/** Returns a rate for every business day from the first on, except the given ones. */
function market(first: string, without: readonly string[] = []): UnitPriceInputs {
  const rates = days(first, '2024-07-01').filter((day) => !without.includes(day));
  const ofDay = (day: string) => new Decimal(10).plus(Number(day.slice(-1)));
  return {
    calendar,
    di: createDiTable(
      rates.map((day) => ({ day, rate: ofDay(day) })),
      calendar,
    ),
    indexNumbers: { IPCA: new Map(), IGPM: new Map() },
  };
}

const event = (interest: UnitPriceEvent['interest'], share: number): UnitPriceEvent => ({
  calculationDate: '2024-03-13',
  interest,
  amortizationPercentage: new Decimal(share),
});

const series = (...events: UnitPriceEvent[]): UnitPricePolicy => ({
  ...plainPolicy,
  startDate: '2024-01-08',
  rate: new Decimal(3),
  indexer: followsDi,
  events,
});

describe('the price from an earlier row', () => {
  const whole = market('2024-01-08');

  test('of an issue value to which interest was added is the one from the start, and what was added is repaid', () => {
    const on = (calculationDate: string, given: UnitPriceEvent) => ({ ...given, calculationDate });
    const half = event('PAID', 50);
    const events = [
      on('2024-02-15', event('INCORPORATED', 0)),
      on('2024-03-15', event('INCORPORATED', 0)),
      on('2024-04-15', half),
      on('2024-05-15', half),
    ];
    const policy: UnitPricePolicy = { ...series(...events), amortizationOf: 'ISSUE_VALUE' };
    const from = (day: string) => pricedRow(unitPrice(policy, day, whole));
    const last = from('2024-05-15');
    expect(from('2024-03-15').nextVne.gt(1000)).toBe(true);
    const halves = [from('2024-04-15'), last].map(({ amortization }) => amortization.toString());
    expect(halves).toEqual(Array(2).fill(truncate(from('2024-03-15').nextVne.div(2), 8).toString()));
    // Only the truncated rest of the two halves is left.
    expect(last.nextVne.lt('0.00000002')).toBe(true);
    for (const [before, day] of [
      ['2024-02-15', '2024-03-11'],
      ['2024-04-15', '2024-05-15'],
      ['2024-04-30', '2024-05-02'],
    ] as const)
      expect(toStoredRow(pricedRow(advance(policy, from(before), day, whole)))).toEqual(toStoredRow(from(day)));
  });

  test('needs no number from before that row', () => {
    const policy = series(event('PAID', 10));
    const onEvent = pricedRow(unitPrice(policy, '2024-02-07', whole));
    const later = market('2024-02-07');
    expect(unitPrice(policy, '2024-04-15', later)).toEqual({ missing: { index: 'DI', day: '2024-01-08' } });
    expect(toStoredRow(pricedRow(advance(policy, onEvent, '2024-04-15', later)))).toEqual(
      toStoredRow(pricedRow(unitPrice(policy, '2024-04-15', whole))),
    );
  });
});

test('the first number that is missing is named, whether it lies before an event or after one', () => {
  const policy = series(event('PAID', 10));
  for (const missing of [['2024-02-14', '2024-04-10'], ['2024-04-10']]) {
    const inputs = market('2024-01-08', missing);
    expect(unitPrice(policy, '2024-05-15', inputs)).toEqual({ missing: { index: 'DI', day: missing[0] } });
  }
});

const none = new Decimal(0);
/** A unit whose figures have digits after the eighth decimal as soon as something is multiplied. */
const unit: Unit = {
  vne: new Decimal('1500.5'),
  vna: new Decimal('1000.12345678'),
  indexFactor: new Decimal('1.23456789'),
  interestFactor: new Decimal('1.012345678'),
  interestJ: new Decimal('12.34720215'),
} as Unit;
const onBalance = { issueValue: new Decimal('1000'), indexer: { kind: 'NONE' }, amortizationOf: 'BALANCE' } as const;
const indexer: PriceIndexer = { ...followsIpca, base: 'START' };
const onIssueValue: Pick<UnitPricePolicy, 'issueValue' | 'indexer' | 'amortizationOf'> = {
  issueValue: new Decimal('1000.12345678'),
  indexer,
  amortizationOf: 'ISSUE_VALUE',
};
const texts = ({ amortization, payment, nextVne }: ReturnType<typeof settle>) =>
  [amortization, payment, nextVne].map(String);

describe('an event', () => {
  test('makes principal of interest that is truncated at the eighth decimal before it is added', () => {
    // 1000.12345678 × 0.012345678 = 12.34720215|76…, and 7.77777777 % of the value = 77.78737989|39…
    const event = { interest: 'INCORPORATED', amortizationPercentage: new Decimal('7.77777777') } as const;
    expect(texts(settle(onBalance, unit, { event, isUpdate: false }))).toEqual([
      '77.787379893990397806',
      '77.787379893990397806',
      '934.68327903',
    ]);
  });

  test('takes a percentage of the issue value that is truncated at the eighth decimal before the index factor', () => {
    // 33.33333333 % of 1000.12345678 = 333.37448555|99…
    const event = { interest: 'PAID', amortizationPercentage: new Decimal('33.33333333') } as const;
    const amortization = new Decimal('411.5734352052989895');
    expect(texts(settle(onIssueValue, unit, { event, isUpdate: false }))).toEqual([
      String(amortization),
      String(amortization.plus('12.34720215')),
      '1167.12551445',
    ]);
  });
});

describe('the index factor', () => {
  const events = [
    { interest: 'PAID', amortizationPercentage: none },
    { interest: 'PAID', amortizationPercentage: new Decimal(1) },
    { interest: 'INCORPORATED', amortizationPercentage: none },
    { interest: 'INCORPORATED', amortizationPercentage: new Decimal(1) },
  ] as const;

  test.each([
    ['LAST_EVENT', [true, true, true, true]],
    ['ANNIVERSARY', [false, false, true, true]],
    ['YEARLY', [false, false, true, true]],
    ['START', [false, false, true, true]],
  ] as const)('since %s begins anew where interest is paid, amortized, incorporated, both: %j', (base, restarts) => {
    const begins = events.map((event) => restartsIndex({ ...indexer, base }, { event, isUpdate: false }));
    expect(begins).toEqual(restarts);
  });

  test.each([undefined, { interest: 'ACCRUED', amortizationPercentage: none } as const, ...events])(
    'begins anew where its base is updated, whatever is paid: %j',
    (event) => {
      expect(restartsIndex({ ...indexer, base: 'YEARLY' }, { event, isUpdate: true })).toBe(true);
    },
  );
});

const numbers = new Map(
  Object.entries({ '2024-03': '100', '2024-04': '102.01', '2024-05': '104' }).map(([month, text]) => [
    month,
    new Decimal(text),
  ]),
);
function factor(from: string, to: string, change: Partial<PriceIndexer> = {}) {
  const found = priceIndexFactorBetween(
    { ...followsIpca, ...change },
    { from, to },
    { calendar, indexNumbers: { IPCA: numbers, IGPM: new Map() } },
  );
  return isMissing(found) ? found : found.factor.toString();
}

test('a month none of whose days has been counted needs no index number', () => {
  // 15 June 2024 is a Saturday: in business days, the month that it begins has its first one on Monday the 17th.
  const missing = { missing: { index: 'IPCA', month: '2024-06' } };
  expect(factor('2024-05-15', '2024-06-17')).toBe('1.01950789');
  expect(factor('2024-05-15', '2024-06-18')).toEqual(missing);
  expect(factor('2024-05-15', '2024-06-16', { proRata: 'CALENDAR_DAYS' })).toEqual(missing);
});

test('an anniversary that is moved lengthens its month, and the next one begins there', () => {
  // 15 June 2024 is a Saturday: with moved anniversaries May runs from 15 May to 17 June, of which 1 June is day 17 of 33.
  const moved = { proRata: 'CALENDAR_DAYS_FOLLOWING' } as const;
  const ratio = new Decimal(104).div('102.01');
  expect(factor('2024-05-15', '2024-06-01', moved)).toBe(truncate(ratio.pow(new Decimal(17).div(33)), 8).toString());
  expect(factor('2024-05-15', '2024-06-17', moved)).toBe('1.01950789');
  expect(factor('2024-05-15', '2024-06-18', moved)).toEqual({ missing: { index: 'IPCA', month: '2024-06' } });
  // 31 August 2024 is a Saturday: its anniversary is 2 September, 28 days before the next one, and 1 September lies before it.
  const last = { ...moved, anniversaryDay: 31, lagMonths: 5 } as const;
  expect(factor('2024-09-02', '2024-09-16', last)).toBe('1.01');
  expect(factor('2024-09-01', '2024-09-16', last)).toEqual({ missing: { index: 'IPCA', month: '2024-02' } });
});

test('a projected number is the published one before it with the projected variation', () => {
  expect(projectedNumber(new Decimal('6897.3477'), new Decimal('0.50')).toString()).toBe('6931.8344385');
});

const msPerDay = 86_400_000;
const dayAt = (offset: number) => new Date(Date.UTC(2023, 0, 1) + offset * msPerDay).toISOString().slice(0, 10);
const holidays = ['2023-01-01', '2023-04-21', '2023-05-01', '2023-12-25', '2024-01-01', '2024-02-12', '2024-02-13'];
const works = (day: string) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) && !holidays.includes(day);

/**
 * Computes the factor as the deeds describe it, day by day: each day counts for the month in whose period it lies, and the
 * variation of that month is raised to the counted share of its days. Uses none of the code under test.
 */
function dayByDay({ anniversaryDay, lagMonths, proRata }: PriceIndexer, from: number, to: number): string {
  const monthAt = (index: number) => new Date(Date.UTC(2022, index, 1)).toISOString().slice(0, 7);
  const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + msPerDay).toISOString().slice(0, 10);
  const anniversaryAt = (index: number) => {
    const lastDay = new Date(Date.UTC(2022, index + 1, 0)).getUTCDate();
    let day = `${monthAt(index)}-${String(Math.min(anniversaryDay, lastDay)).padStart(2, '0')}`;
    while (proRata === 'CALENDAR_DAYS_FOLLOWING' && !works(day)) day = nextDay(day);
    return day;
  };
  const counts = (day: string) => proRata !== 'BUSINESS_DAYS' || works(day);
  let product = new Decimal(1);
  for (let index = 6; index < 40; index++) {
    let [elapsed, total] = [0, 0];
    for (let day = anniversaryAt(index); day < anniversaryAt(index + 1); day = nextDay(day)) {
      if (!counts(day)) continue;
      total++;
      if (day >= dayAt(from) && day < dayAt(to)) elapsed++;
    }
    if (elapsed === 0) continue;
    const number = (at: number) => manyNumbers.get(monthAt(at)) ?? new Decimal(0);
    const ratio = number(index + 1 - lagMonths).div(number(index - lagMonths));
    product = product.times(truncate(ratio.pow(new Decimal(elapsed).div(total)), 8));
  }
  return truncate(product, 8).toString();
}

/** A number for every month of four years, each with a different growth. */
const manyNumbers = new Map(
  Array.from({ length: 48 }, (_, index) => [
    new Date(Date.UTC(2022, index - 3, 1)).toISOString().slice(0, 7),
    new Decimal(5000 + 25 * index + ((index * 37) % 23) - (index % 7 === 0 ? 60 : 0)),
  ]),
);

test('over any days, with any anniversary, moved or not, it is what counting day by day makes it', () => {
  const offsets = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 200 }));
  const policies = fc.record({
    kind: fc.constant('PRICE_INDEX' as const),
    index: fc.constant('IPCA' as const),
    lagMonths: fc.integer({ min: 0, max: 3 }),
    anniversaryDay: fc.integer({ min: 1, max: 31 }),
    proRata: fc.constantFrom(...(['CALENDAR_DAYS_FOLLOWING', 'CALENDAR_DAYS', 'BUSINESS_DAYS'] as const)),
    base: fc.constant('START' as const),
    projection: fc.constant('PROVISIONAL' as const),
  });
  const on = createCalendar([...holidays, '2021-01-01', '2026-01-01'].map((day) => ({ day, version: 1 })));
  fc.assert(
    fc.property(policies, offsets, (policy, [from, length]) => {
      const found = priceIndexFactorBetween(
        policy,
        { from: dayAt(from), to: dayAt(from + length) },
        { calendar: on, indexNumbers: { IPCA: manyNumbers, IGPM: new Map() } },
      );
      expect(isMissing(found) ? found : found.factor.toString()).toBe(dayByDay(policy, from, from + length));
    }),
    { numRuns: 150 },
  );
});

// From 8 January to 8 February 2024 there are 31 days, 23 of them business days: 12 % over 31/365, 31/360 and 23/252 of a year.
test.each<[DayCount, string]>([
  ['CIVIL_365', '1009.671647'],
  ['CIVIL_360', '1009.806632'],
  ['BUS252', '1010.39717'],
])('a fixed rate accrues on the days that %s counts', (dayCount, price) => {
  const row = unitPrice(
    {
      startDate: '2024-01-08',
      issueValue: new Decimal(1000),
      dayCount,
      rate: new Decimal(12),
      indexer: { kind: 'NONE' },
      amortizationOf: 'BALANCE',
      events: [],
    },
    '2024-02-08',
    { calendar, di: createDiTable([], calendar), indexNumbers: { IPCA: new Map(), IGPM: new Map() } },
  );
  if (isMissing(row)) throw new Error('A fixed rate misses nothing');
  expect([row.calendarDays, row.businessDays, row.unitPrice.toString()]).toEqual([31, 23, price]);
});
