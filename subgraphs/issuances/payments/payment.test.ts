import { expect, test } from '@jest/globals';
import { createCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { paymentStatus } from './payment.js';

// 2026-11-20 is a Friday and a holiday.
const calendar = createCalendar([
  { day: '2026-01-01', version: 1 },
  { day: '2026-11-20', version: 1 },
]);

test.each([
  ['2026-11-18', '2026-11-17', 'PENDING'],
  ['2026-11-18', '2026-11-18', 'PENDING'],
  ['2026-11-18', '2026-11-19', 'OVERDUE'],
  // Due on a holiday before a weekend: payable on Monday the 23rd.
  ['2026-11-20', '2026-11-23', 'PENDING'],
  ['2026-11-20', '2026-11-24', 'OVERDUE'],
] as const)('unpaid, due on %s, it is on %s %s', (dueDate, today, status) => {
  expect(paymentStatus({ dueDate, paidDate: null }, today, calendar)).toBe(status);
});

test('once paid it is paid, from the day of the payment on', () => {
  const payment = { dueDate: '2026-11-10', paidDate: '2026-11-12' };
  expect(paymentStatus(payment, '2026-11-11', calendar)).toBe('OVERDUE');
  expect(paymentStatus(payment, '2026-11-12', calendar)).toBe('PAID');
});
