import { sum } from '../../../../shared/kernel/decimal.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required } from '../../../../shared/import/model/kind.js';
import { integer } from '../../../../shared/import/model/number-values.js';
import { inCalendar, inOrder, notInTheFuture, together, type Rule } from '../../../../shared/import/model/rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';
import { ofTranche } from './tranches.js';
import { amount, share } from './values.js';

const accruedAmortizesNothing: Rule = ({ interestEvent, amortizationPercentage }) =>
  interestEvent === 'ACCRUED' && /[1-9]/.test(amortizationPercentage ?? '')
    ? { field: 'amortizationPercentage', error: broken('ACCRUED_AMORTIZES') }
    : undefined;

const keeps = { keeps: true };

export const schedule = kind('schedule', {
  label: 'instalment',
  description:
    'Payment schedule of the series. An instalment becomes overdue when its due date passes; a paid one remains paid.',
  table: 'tokenization.schedule_entries',
  parent: ofTranche,
  key: ['installmentNumber'],
  // Consistency between instalments is not checked while one of them has an error.
  referredTo: true,
  replaces: true,
  isPart: true,
  hasId: false,
  // Rows that events pay.
  foreign: 't.installment_number < 0',
  settled: () =>
    `coalesce(${settledBy('SETTLED_PAID', { day: 'o.paid_on' })}, CASE WHEN least(o.calculation_date, n.calculation_date) <= (
       SELECT priced_on FROM tokenization.tranches WHERE id = o.tranche_id)
     AND (n.tranche_id IS NULL OR (o.calculation_date, o.interest_event, o.amortization_percentage) IS DISTINCT FROM
       (n.calculation_date, n.interest_event, n.amortization_percentage)) THEN ${settledBy('SETTLED_PRICED', {})} END)`,
  fields: [
    required('installmentNumber', integer(1), 'Number of the instalment.', 1),
    optional(
      'calculationDate',
      date,
      'Day until which interest accrues; the dueDate when absent. It must be later than that of the previous instalment.',
      '2025-09-15',
    ),
    required('dueDate', date, 'Due date.', '2025-09-15'),
    optional(
      'interestEvent',
      oneOf('PAID', 'INCORPORATED', 'ACCRUED'),
      'Use of the accrued interest: paid, added to the principal, or left to accrue further; PAID when absent.',
      'PAID',
      { fallback: 'PAID' },
    ),
    optional(
      'amortizationPercentage',
      share,
      'Amortization, in percent of the base that amortizationOf names; 0 when absent.',
      '0',
      { fallback: '0' },
    ),
    optional(
      'interestPercentage',
      share,
      'Share of the accrued interest that is paid, in percent, for display; derived from interestEvent when absent.',
      '100',
    ),
    optional('principalPercentage', share, 'Share of the principal that is paid, in percent, for display.', '0'),
    optional(
      'paidOn',
      date,
      'Day of the payment, which cannot be in the future. When absent, it keeps its value.',
      null,
      keeps,
    ),
    optional(
      'interestValue',
      amount,
      'Interest for all units, in reais. When absent, it is calculated from the unit price of the day.',
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
