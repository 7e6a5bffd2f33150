import { expect, test } from '@jest/globals';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { createDiTable } from './di-factor.js';
import { isMissing } from './missing.js';
import type { DayCount } from './day-count.js';
import { unitPrice } from './unit-price.js';

const calendar = createCalendar([{ day: '2024-01-01', version: 1 }]);

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
