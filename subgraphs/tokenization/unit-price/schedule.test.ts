import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { AmortizationSystem, SchedulePolicy } from './schedule-policy.js';
import { createDiTable } from './di-factor.js';
import { isMissing } from './missing.js';
import { schedule } from './schedule.js';
import { unitPrice } from './unit-price.js';

const calendar = createCalendar(['2000-01-01', '2024-11-15', '2078-12-25'].map((day) => ({ day, version: 1 })));

const monthly: SchedulePolicy = {
  firstMonth: '2024-02',
  anniversaryDay: 15,
  everyMonths: 1,
  instalments: 12,
  accrueUntil: 'ANNIVERSARY',
  amortization: { kind: 'SAC' },
  principalGrace: 0,
  interestGrace: 0,
  graceInterest: 'INCORPORATED',
  percentageDecimals: 4,
};

const system: fc.Arbitrary<AmortizationSystem> = fc.oneof(
  fc.constantFrom({ kind: 'BULLET' as const }, { kind: 'SAC' as const }),
  fc.integer({ min: 0, max: 3000 }).map((rate) => ({ kind: 'PRICE' as const, rate: new Decimal(rate).div(100) })),
);

describe('a schedule', () => {
  test('pays back 100 % of the principal, whatever the system, grace and rounding', () => {
    fc.assert(
      fc.property(
        system,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 8 }),
        fc.nat(199),
        fc.constantFrom('BALANCE' as const, 'ISSUE_VALUE' as const),
        (amortization, instalments, percentageDecimals, grace, of) => {
          const principalGrace = grace % instalments;
          const policy = { ...monthly, amortization, instalments, percentageDecimals, principalGrace };
          const entries = schedule(policy, calendar, of);
          expect(entries.map(({ installmentNumber }) => installmentNumber)).toEqual(
            Array.from({ length: instalments }, (_, index) => index + 1),
          );
          expect(sum(entries.map((entry) => entry.principalPercentage)).toString()).toBe('100');
          for (const entry of entries.slice(0, principalGrace)) expect(entry.principalPercentage.toString()).toBe('0');
          for (const entry of entries) {
            expect(entry.principalPercentage.isNegative()).toBe(false);
            if (of === 'ISSUE_VALUE') expect(entry.amortizationPercentage).toEqual(entry.principalPercentage);
          }
        },
      ),
    );
  });

  test('of the issue value has the percentages of deeds: equal ones but for the last, or a table with 100 as its sum', () => {
    const shares = (amortization: AmortizationSystem, of: 'BALANCE' | 'ISSUE_VALUE') =>
      schedule({ ...monthly, instalments: 3, amortization }, calendar, of).map(({ amortizationPercentage }) =>
        amortizationPercentage.toString(),
      );
    expect(shares({ kind: 'SAC' }, 'BALANCE')).toEqual(['33.3333', '50', '100']);
    expect(shares({ kind: 'SAC' }, 'ISSUE_VALUE')).toEqual(['33.3333', '33.3333', '33.3334']);
    const percentages = ['2.25', '2.25', '95.5'].map((share) => new Decimal(share));
    expect(shares({ kind: 'TABLE', percentages }, 'ISSUE_VALUE')).toEqual(['2.25', '2.25', '95.5']);
    expect(() => shares({ kind: 'TABLE', percentages }, 'BALANCE')).toThrow(/100 at the end/);
    const ofBalance = ['50', '50', '100'].map((share) => new Decimal(share));
    expect(() => shares({ kind: 'TABLE', percentages: ofBalance }, 'ISSUE_VALUE')).toThrow(/100 as their sum/);
  });

  test('is paid on the first business day from the anniversary on, and accrues as the policy says', () => {
    const days = (accrueUntil: SchedulePolicy['accrueUntil']) =>
      schedule({ ...monthly, accrueUntil }, calendar)
        .slice(5, 10)
        .map(({ calculationDate, dueDate }) => [calculationDate, dueDate]);
    expect(days('ANNIVERSARY')).toEqual([
      ['2024-07-15', '2024-07-15'],
      ['2024-08-15', '2024-08-15'],
      ['2024-09-15', '2024-09-16'],
      ['2024-10-15', '2024-10-15'],
      ['2024-11-15', '2024-11-18'],
    ]);
    expect(days('DUE_DATE').every(([calculated, due]) => calculated === due)).toBe(true);
  });

  test('falls on the last day of a month that has no such day', () => {
    const entries = schedule({ ...monthly, anniversaryDay: 31, instalments: 3 }, calendar);
    expect(entries.map(({ calculationDate }) => calculationDate)).toEqual(['2024-02-29', '2024-03-31', '2024-04-30']);
  });

  test('goes on by as many months as lie between two instalments', () => {
    const entries = schedule({ ...monthly, everyMonths: 6, instalments: 4 }, calendar);
    expect(entries.map(({ calculationDate }) => calculationDate)).toEqual([
      '2024-02-15',
      '2024-08-15',
      '2025-02-15',
      '2025-08-15',
    ]);
  });

  test('in equal parts amortizes the share of the balance that makes them equal', () => {
    const entries = schedule({ ...monthly, instalments: 4, percentageDecimals: 8 }, calendar);
    expect(entries.map((entry) => entry.amortizationPercentage.toString())).toEqual(['25', '33.33333333', '50', '100']);
    for (const { principalPercentage } of entries)
      expect(principalPercentage.minus(25).abs().lt('0.000001')).toBe(true);
  });

  test('of equal payments pays the same at every equal period', () => {
    const rate = new Decimal('12.68250301');
    const policy = { ...monthly, amortization: { kind: 'PRICE' as const, rate }, percentageDecimals: 8 };
    const monthlyRate = rate.div(100).plus(1).pow(new Decimal(1).div(12)).minus(1);
    let balance = new Decimal(100);
    for (const { principalPercentage } of schedule(policy, calendar)) {
      const payment = balance.times(monthlyRate).plus(principalPercentage);
      // 100 × i / (1 - (1 + i)^-12) at 1 % a month.
      expect(payment.minus('8.88487887').abs().lt('0.00001')).toBe(true);
      balance = balance.minus(principalPercentage);
    }
  });

  test('follows the table of the deed', () => {
    const percentages = ['0', '3.3505', '50', '100'].map((share) => new Decimal(share));
    const policy = {
      ...monthly,
      instalments: 4,
      principalGrace: 1,
      amortization: { kind: 'TABLE' as const, percentages },
    };
    expect(schedule(policy, calendar).map((entry) => entry.principalPercentage.toString())).toEqual([
      '0',
      '3.3505',
      '48.32475',
      '48.32475',
    ]);
  });

  test('pays no interest in its grace', () => {
    const entries = schedule({ ...monthly, instalments: 4, principalGrace: 3, interestGrace: 2 }, calendar);
    expect(entries.map((entry) => [entry.interest, entry.interestPercentage.toString()])).toEqual([
      ['INCORPORATED', '0'],
      ['INCORPORATED', '0'],
      ['PAID', '100'],
      ['PAID', '100'],
    ]);
  });

  test('prices the series that it belongs to, down to nothing', () => {
    const events = schedule({ ...monthly, principalGrace: 4, interestGrace: 2 }, calendar);
    const outcome = unitPrice(
      {
        startDate: '2024-01-15',
        issueValue: new Decimal(1000),
        dayCount: 'CIVIL_360',
        rate: new Decimal(12),
        indexer: { kind: 'NONE' },
        amortizationOf: 'BALANCE',
        events,
      },
      '2025-01-15',
      {
        calendar,
        di: createDiTable([], calendar),
        indexNumbers: { IPCA: new Map(), IGPM: new Map() },
      },
    );
    if (isMissing(outcome)) throw new Error('A fixed rate misses nothing');
    expect(outcome.payment.toString()).toBe(outcome.unitPrice.toString());
    expect(outcome.nextVne.toString()).toBe('0');
  });

  const table = (...shares: string[]): Partial<SchedulePolicy> => ({
    instalments: 3,
    principalGrace: 1,
    amortization: { kind: 'TABLE', percentages: shares.map((share) => new Decimal(share)) },
  });
  test.each([
    ['with a negative share', table('0', '-0.0001', '100')],
    ['with a share above 100', table('0', '100.0001', '100')],
    ['with a share of more decimals than the policy has', table('0', '50.00001', '100')],
    ['that amortizes in the grace', table('1', '50', '100')],
    ['that leaves something at the end', table('0', '50', '99.9999')],
    ['of too many shares', table('0', '50', '50', '100')],
  ])('a table %s is refused', (_, change) => {
    expect(() => schedule({ ...monthly, ...change }, calendar)).toThrow(/The table must contain 3 percentages/);
  });

  test('a table may go to both of its bounds', () => {
    const shares = schedule({ ...monthly, ...table('0', '0', '100') }, calendar);
    expect(shares.map((entry) => entry.amortizationPercentage.toString())).toEqual(['0', '0', '100']);
    const early = schedule({ ...monthly, ...table('0', '100', '100') }, calendar);
    expect(early.map((entry) => entry.principalPercentage.toString())).toEqual(['0', '100', '0']);
  });

  test('a table needs no grace, and amortizes in no instalment of one that it has', () => {
    const shares = (...texts: string[]) => schedule({ ...monthly, ...table(...texts), principalGrace: 0 }, calendar);
    expect(shares('10', '20', '100').map((entry) => entry.amortizationPercentage.toString())).toEqual([
      '10',
      '20',
      '100',
    ]);
    for (const wrong of [table('0', '1', '100'), table('1', '0', '100')])
      expect(() => schedule({ ...monthly, ...wrong, principalGrace: 2 }, calendar)).toThrow(/0 in the grace/);
  });

  test.each<[keyof SchedulePolicy, number, number, Partial<SchedulePolicy>]>([
    ['anniversaryDay', 1, 31, {}],
    ['everyMonths', 1, 120, { instalments: 2 }],
    ['instalments', 1, 600, {}],
    ['percentageDecimals', 0, 8, {}],
    ['principalGrace', 0, 11, {}],
    ['interestGrace', 0, 5, { principalGrace: 5 }],
  ])('%s is a whole number from %d to %d', (name, min, max, change) => {
    const made = (value: number) => () => schedule({ ...monthly, ...change, [name]: value }, calendar);
    expect(made(min)).not.toThrow();
    expect(made(max)).not.toThrow();
    for (const wrong of [min - 1, max + 1, min + 0.5])
      expect(made(wrong)).toThrow(`${name} must be a whole number from ${min} to ${max}`);
  });
});
