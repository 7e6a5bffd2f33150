import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { createCalendar, loadCalendar } from './calendar.js';

const database = await openTestDatabase();
const calendar = await loadCalendar(database.dataSource.manager);
afterAll(() => database.close());

const day = fc
  .date({ min: new Date('2000-01-10'), max: new Date('2078-11-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('the business-day calendar', () => {
  test.each(['2026-02-16', '2026-02-17', '2026-04-03', '2026-06-04', '2026-11-20', '2024-12-25', '2026-11-21'])(
    '%s is not a business day',
    (holiday) => {
      expect(calendar.isBusinessDay(holiday)).toBe(false);
    },
  );

  test.each(['2026-02-18', '2023-11-20', '2026-11-19', '2026-12-31'])('%s is a business day', (works) => {
    expect(calendar.isBusinessDay(works)).toBe(true);
  });

  // Business days of coupon periods as trustees published them: shared/data/pu-vectors.json of the specification.
  test.each([
    ['2017-06-15', '2017-12-15', 126],
    ['2017-12-15', '2018-06-15', 123],
    ['2025-01-02', '2025-01-15', 9],
  ])('from %s to %s there are %d business days', (from, to, days) => {
    expect(calendar.businessDaysBetween(from, to)).toBe(days);
  });

  test('a period cut anywhere has the business days of its parts', () => {
    fc.assert(
      fc.property(day, day, day, (a, b, c) => {
        expect(calendar.businessDaysBetween(a, b) + calendar.businessDaysBetween(b, c)).toBe(
          calendar.businessDaysBetween(a, c),
        );
      }),
    );
  });

  test('adding business days and counting them agree', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 20 }), (from, count) => {
        const start = calendar.following(from);
        expect(calendar.businessDaysBetween(start, calendar.addBusinessDays(start, count))).toBe(count);
      }),
    );
  });

  test('a day outside of the table or of the form is an error and no guess', () => {
    expect(() => calendar.isBusinessDay('2079-01-01')).toThrow(/covers 2000 to 2078/);
    expect(() => calendar.isBusinessDay('2026-02-30')).toThrow(/not a date/);
  });
});

describe('a calendar of its own holidays', () => {
  // Unsorted, and of two versions. 2024-12-31 is a Tuesday, 2023-01-02 a Monday.
  const holidays = [
    { day: '2024-12-25', version: 3 },
    { day: '2023-01-01', version: 2 },
    { day: '2024-01-01', version: 2 },
  ];
  const own = createCalendar(holidays);

  test('has the newest version of them', () => {
    expect(own.version).toBe(3);
  });

  test('goes back as it goes on', () => {
    expect(own.addBusinessDays('2024-12-26', -1)).toBe('2024-12-24');
    expect(own.addBusinessDays('2024-12-24', 1)).toBe('2024-12-26');
    expect(own.addBusinessDays('2024-12-24', 0)).toBe('2024-12-24');
    expect([own.preceding('2024-12-25'), own.following('2024-12-25')]).toEqual(['2024-12-24', '2024-12-26']);
  });

  test('covers the years of them from the first day to the last, and no other', () => {
    expect(own.isBusinessDay('2024-12-31')).toBe(true);
    expect(own.businessDaysBetween('2024-12-23', '2024-12-31')).toBe(5);
    expect([own.isBusinessDay('2023-01-01'), own.isBusinessDay('2023-01-02')]).toEqual([false, true]);
    for (const outside of ['2022-12-31', '2025-01-01'])
      expect(() => own.isBusinessDay(outside)).toThrow('The table of holidays covers 2023 to 2024 only');
  });
});
