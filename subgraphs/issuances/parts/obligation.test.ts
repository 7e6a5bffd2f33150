import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { obligationStatus, type ObligationFacts } from './obligation.js';

const base: ObligationFacts = { dueDate: '2026-11-10', graceDays: 5, deliveredDate: null, waivedDate: null };

test.each([
  ['before the due date it is pending', {}, '2026-11-09', 'PENDING'],
  ['in the days of grace it is pending', {}, '2026-11-15', 'PENDING'],
  ['after them it is overdue', {}, '2026-11-16', 'OVERDUE'],
  ['delivered on the last day of grace it is punctual', { deliveredDate: '2026-11-15' }, '2026-12-01', 'DELIVERED'],
  ['delivered a day later it is late', { deliveredDate: '2026-11-16' }, '2026-12-01', 'DELIVERED_LATE'],
  ['a delivery of tomorrow has not happened', { deliveredDate: '2026-11-20' }, '2026-11-19', 'OVERDUE'],
  ['waived it is waived', { waivedDate: '2026-11-12' }, '2026-12-01', 'WAIVED'],
  [
    'a delivery counts more than a waiver',
    { waivedDate: '2026-11-12', deliveredDate: '2026-11-11' },
    '2026-12-01',
    'DELIVERED',
  ],
] as const)('%s', (_promise, facts, today, status) => {
  expect(obligationStatus({ ...base, ...facts }, today)).toBe(status);
});

test('as days pass a status only moves forward: what was delivered, late or waived stays so', () => {
  const offset = fc.integer({ min: -40, max: 40 });
  const optional = fc.option(offset, { nil: null });
  fc.assert(
    fc.property(optional, optional, fc.integer({ min: 0, max: 20 }), offset, (delivered, waived, graceDays, from) => {
      const on = (days: number | null) => (days === null ? null : addDays(base.dueDate, days));
      const facts = { dueDate: base.dueDate, graceDays, deliveredDate: on(delivered), waivedDate: on(waived) };
      const order = ['PENDING', 'OVERDUE', 'WAIVED', 'DELIVERED', 'DELIVERED_LATE'];
      const rank = (days: number) => order.indexOf(obligationStatus(facts, addDays(base.dueDate, days)));
      expect(rank(from + 1)).toBeGreaterThanOrEqual(rank(from));
    }),
  );
});
