import { expect, test } from '@jest/globals';
import { createCalendar } from '../../../shared/calendar/calendar.js';
import { Decimal } from '../../../shared/decimal.js';
import { isMissing } from './missing.js';
import type { PriceIndexer } from './policy.js';
import { priceIndexFactorBetween } from './price-index-factor.js';

const calendar = createCalendar([{ day: '2024-01-01', version: 1 }]);
const numbers = new Map(
  Object.entries({ '2024-03': '100', '2024-04': '102.01', '2024-05': '104' }).map(([month, text]) => [
    month,
    new Decimal(text),
  ]),
);
const indexer: PriceIndexer = {
  kind: 'PRICE_INDEX',
  index: 'IPCA',
  lagMonths: 1,
  anniversaryDay: 15,
  proRata: 'BUSINESS_DAYS',
  base: 'LAST_EVENT',
};

function factor(from: string, to: string, change: Partial<PriceIndexer> = {}) {
  const found = priceIndexFactorBetween(
    { ...indexer, ...change },
    { from, to },
    { calendar, indexNumbers: { IPCA: numbers, IGPM: new Map() } },
  );
  return isMissing(found) ? found : found.toString();
}

test('a month none of whose days has been counted needs no index number', () => {
  // 15 June 2024 is a Saturday: in business days, the month that it begins has its first one on Monday the 17th.
  const missing = { missing: { index: 'IPCA', month: '2024-06' } };
  expect(factor('2024-05-15', '2024-06-17')).toBe('1.01950789');
  expect(factor('2024-05-15', '2024-06-18')).toEqual(missing);
  expect(factor('2024-05-15', '2024-06-16', { proRata: 'CALENDAR_DAYS' })).toEqual(missing);
});

test('from an anniversary on, the month before it has no part in the factor', () => {
  // April over March is 1.0201, and half of its days are its square root.
  const inDays = { proRata: 'CALENDAR_DAYS' } as const;
  expect(factor('2024-04-15', '2024-04-30', inDays)).toBe('1.01');
  expect(factor('2024-04-30', '2024-05-15', inDays)).toBe('1.01');
  expect(factor('2024-04-15', '2024-04-15', inDays)).toBe('1');
  expect(factor('2024-04-30', '2024-04-30', inDays)).toBe('1');
  expect(factor('2024-04-14', '2024-04-15', inDays)).toEqual({ missing: { index: 'IPCA', month: '2024-02' } });
});
