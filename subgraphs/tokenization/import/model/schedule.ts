import { sum } from '../../../../shared/decimal.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required } from '../../../../shared/import/model/kind.js';
import { integer } from '../../../../shared/import/model/number-values.js';
import { inCalendar, inOrder, notInTheFuture, together, type Rule } from '../../../../shared/import/model/rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';
import { ofTranche } from './tranches.js';
import { amount, share } from './values.js';

const accruedAmortizesNothing: Rule = ({ interestEvent, amortizationPercentage }) =>
  interestEvent === 'ACCRUED' && /[1-9]/.test(amortizationPercentage ?? '')
    ? { field: 'amortizationPercentage', fault: 'must be 0 where interestEvent is ACCRUED' }
    : undefined;

const keeps = { keeps: true };

export const schedule = kind('schedule', {
  label: 'instalment',
  description:
    'When the series pays, and what. An instalment whose due day passes becomes overdue by itself; one that was paid stays paid.',
  table: 'tokenization.schedule_entries',
  parent: ofTranche,
  key: ['installmentNumber'],
  // Consistency between instalments is not checked while one of them has an error.
  referredTo: true,
  replaces: true,
  isPart: true,
  hasId: false,
  settled: () => `'was paid on ' || o.paid_on`,
  fields: [
    required('installmentNumber', integer(1), 'Number of the instalment.', 1),
    optional(
      'calculationDate',
      date,
      'The day up to which it accrues; the dueDate when absent. Later than that of the instalment before.',
      '2025-09-15',
    ),
    required('dueDate', date, 'The day on which it is due.', '2025-09-15'),
    optional(
      'interestEvent',
      oneOf('PAID', 'INCORPORATED', 'ACCRUED'),
      'What becomes of the interest: paid, made principal, or left to go on accruing; PAID when absent.',
      'PAID',
      { fallback: 'PAID' },
    ),
    optional(
      'amortizationPercentage',
      share,
      'What it amortizes, in percent of what amortizationOf says; 0 when absent.',
      '0',
      { fallback: '0' },
    ),
    optional(
      'interestPercentage',
      share,
      'How much of the accrued interest it pays, in percent, as it is shown; follows from interestEvent when absent.',
      '100',
    ),
    optional('principalPercentage', share, 'How much of the principal it pays, in percent, as it is shown.', '0'),
    optional(
      'paidOn',
      date,
      'The day on which it was paid: not in the future. Absent, it stays as it is.',
      null,
      keeps,
    ),
    optional(
      'interestValue',
      amount,
      'Interest for all units, in reais. Absent, it is what the unit price of the day says.',
      null,
      keeps,
    ),
    optional('principalValue', amount, 'Principal for all units, in reais, together with interestValue.', null, keeps),
  ],
  rules: [
    inOrder('calculationDate', 'dueDate'),
    inCalendar('dueDate'),
    accruedAmortizesNothing,
    together('interestValue', 'principalValue'),
    notInTheFuture('paidOn'),
  ],
  complete: (values) => {
    values['calculationDate'] ??= values['dueDate'] ?? null;
    values['interestPercentage'] ??= values['interestEvent'] === 'PAID' ? '100' : '0';
  },
  derived: [
    {
      column: 'total_value',
      sql: 'numeric(20, 2)',
      keeps: null,
      of: ({ interestValue, principalValue }) =>
        interestValue == null || principalValue == null ? null : sum([interestValue, principalValue]).toFixed(2),
    },
    { column: 'status', sql: 'text', keeps: 'PENDING', of: ({ paidOn }) => (paidOn == null ? null : 'PAID') },
  ],
});
