import { Decimal, sum } from '../../../../shared/kernel/decimal.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required } from '../../../../shared/import/model/kind.js';
import type { Values } from '../../../../shared/import/model/value.js';
import { decimal, integer, money } from '../../../../shared/import/model/number-values.js';
import { fitsMoney, inCalendar, notInTheFuture, together, type Rule } from '../../../../shared/import/model/rules.js';
import { label, text } from '../../../../shared/import/model/text-values.js';
import { ofOperation, toSeries } from './operations.js';
import { externalId } from './publications.js';

/** Returns interest plus principal, if both are known. */
function totalOf({ interestValue, principalValue }: Readonly<Values>): string | null {
  if (interestValue == null || principalValue == null) return null;
  return sum([interestValue, principalValue]).toFixed(2);
}

const totalMatches: Rule = (values) => {
  const [stated, due] = [values['totalValue'] ?? null, totalOf(values)];
  if (stated === null || due === null || new Decimal(stated).equals(due)) return undefined;
  return {
    field: 'totalValue',
    error: broken('NOT_THE_TOTAL', { value: stated, sum: 'interestValue + principalValue', due }),
  };
};

const openIsPart: Rule = ({ openValue, totalValue, paidDate }) =>
  openValue != null && (paidDate != null || totalValue == null || new Decimal(openValue).gt(totalValue))
    ? { field: 'openValue', error: broken('OPEN_PART') }
    : undefined;

export const payments = kind('payments', {
  label: 'payment',
  description:
    'Payments of the operation to its holders, past and future. REST: pagamentos. Payments in CSV files can only be added or changed.',
  table: 'issuances.payments',
  parent: ofOperation,
  newest: 'max(due_date)::text',
  key: ['trancheTicker', 'installmentNumber', 'event'],
  replaces: true,
  csv: true,
  settled: () => settledBy('SETTLED_PAID', { day: 'o.paid_date' }),
  fields: [
    optional(
      'trancheTicker',
      label,
      'Ticker of the series; absent for a payment of the whole operation.',
      'AURORA1S1',
      toSeries,
    ),
    required('installmentNumber', integer(0), 'Number of the instalment within the series.', 19),
    required(
      'event',
      label,
      'A free label: Juros, Amortização, Juros e amortização, Resgate antecipado. REST: evento.',
      'Juros e amortização',
    ),
    required('dueDate', date, 'Due date.', '2026-10-15'),
    optional('paidDate', date, 'Day of the payment, which cannot be in the future. REST: dataPagamento.', '2026-10-15'),
    optional('interestValue', money, 'Interest, in reais; absent while it is not known.', '512345.67'),
    optional('principalValue', money, 'Principal, in reais; absent while it is not known.', '1000000.00'),
    optional(
      'totalValue',
      money,
      'Interest and principal: checked against their sum when all three are given, computed when only those two are.',
      '1512345.67',
    ),
    optional(
      'openValue',
      money,
      'What is not paid of totalValue, in reais, where a part is paid; absent while nothing, and once all is paid.',
      null,
    ),
    optional(
      'units',
      decimal(20, 0, { above: '0' }),
      'Units that it pays, where the series had another quantity then; absent otherwise.',
      null,
    ),
  ],
  rules: [inCalendar('dueDate'), notInTheFuture('paidDate'), totalMatches, fitsMoney('totalValue'), openIsPart],
  complete: (values) => {
    values['totalValue'] ??= totalOf(values);
  },
});

export const accounts = kind('accounts', {
  label: 'account',
  description: 'Accounts of the operation. REST: financeiro.',
  table: 'issuances.operation_accounts',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  identity: ['purpose', 'bank', 'branch', 'accountNumber'],
  fields: [
    externalId('purpose, bank, branch and accountNumber'),
    required('purpose', label, 'Purpose of the account.', 'Fundo de reserva'),
    required('bank', label, 'Name of the bank.', 'Banco Horizonte S.A.'),
    optional('branch', text({ maxLength: 20 }), 'Branch.', '0001'),
    optional('accountNumber', text({ maxLength: 30 }), 'Number of the account.', '12345-6'),
    optional('balance', decimal(24, 2), 'Balance in reais, together with balanceDate.', '1250000.00'),
    optional('minimumBalance', money, 'Minimum balance that the deed requires, in reais.', '1000000.00'),
    optional('balanceDate', date, 'Day of the balance, which cannot be in the future.', '2026-10-31'),
  ],
  rules: [together('balance', 'balanceDate'), notInTheFuture('balanceDate')],
});

export const permittedInvestments = kind('permittedInvestments', {
  label: 'permitted investment',
  description: 'Permitted investments of the cash of the operation. REST: financeiro.',
  table: 'issuances.permitted_investments',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  identity: ['description', 'institution'],
  fields: [
    externalId('description and institution'),
    required('description', text({ maxLength: 500 }), 'Kind of investment.', 'Títulos públicos federais'),
    optional('institution', label, 'Institution with which it is held.', 'Banco Horizonte S.A.'),
    optional('limitPercent', decimal(9, 4, { min: '0', max: '100' }), 'Maximum share of the cash, in percent.', '100'),
    optional('investedAmount', money, 'Invested amount, in reais, together with positionDate.', '800000.00'),
    optional('positionDate', date, 'Day of the amount, which cannot be in the future.', '2026-10-31'),
  ],
  rules: [together('investedAmount', 'positionDate'), notInTheFuture('positionDate')],
});
