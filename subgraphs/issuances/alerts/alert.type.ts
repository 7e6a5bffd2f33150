import { ArgsType, ObjectType } from 'type-graphql';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { CovenantCaveatEnum, CovenantComparisonEnum, CovenantMetricEnum } from '../reports/risk-sections.type.js';
import type { AlertKind } from './alert.js';
import { args, decimal, fields, int, nullable, of, text } from '../../../shared/graphql/fields.js';

export const AlertKindEnum = describeEnum<AlertKind>(
  'AlertKind',
  'Reason for an alert about an operation.',
  {
    COVENANT_BREACHED: 'A figure of the live report is beyond the threshold of a covenant',
    PAYMENT_OVERDUE: 'A payment to the holders was not made by the business day on which it fell due',
    OBLIGATION_OVERDUE: 'A debtor did not deliver within the days of grace',
  },
  {
    COVENANT_BREACHED: ['Covenant descumprido', 'Covenant breached'],
    PAYMENT_OVERDUE: ['Pagamento em atraso', 'Payment overdue'],
    OBLIGATION_OVERDUE: ['Obrigação em atraso', 'Obligation overdue'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'A breached covenant, as tested in the live report.' })
export class CovenantBreach extends fields({
  metric: of(() => CovenantMetricEnum, 'The tested figure'),
  comparison: of(() => CovenantComparisonEnum, 'Side of the threshold on which the figure must be'),
  threshold: decimal('The threshold, in percent, 4 decimals'),
  value: decimal('The figure, in percent, 4 decimals'),
  excess: decimal('By how many percentage points the figure is beyond the threshold, 4 decimals'),
  caveat: nullable.of(() => CovenantCaveatEnum, 'Caveat about the test; null without one'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Something about an operation that is overdue or breached.' })
export class OperationAlert extends fields({
  kind: of(() => AlertKindEnum, 'Reason for the alert'),
  operationTicker: text('Ticker of the operation'),
  operationName: text('Name of the operation'),
  title: text('Name of the covenant, kind of the payment (Juros, Amortização…), or object of the obligation'),
  dueDate: nullable.day('Due date; null for a covenant'),
  daysLate: nullable.int('Days since the due date; null for a covenant'),
  amount: nullable.decimal(
    'Overdue interest and principal in BRL, 2 decimals; null while it is not known, and for other kinds',
  ),
  seriesTicker: nullable.text(
    'Ticker of the series of a payment; null for a payment of the whole operation, and for other kinds',
  ),
  responsible: nullable.text(
    'Party that has to deliver an obligation; null where it is not known, and for other kinds',
  ),
  covenant: nullable.of(() => CovenantBreach, 'The breached covenant; null for other kinds'),
}) {}

export type AlertShape = Shape<OperationAlert> & { readonly id: string; readonly operationId: string };

@ObjectType({ simpleResolvers: true, description: 'Totals of a list of alerts, on all pages.' })
export class AlertTotals extends fields({
  operations: int('Operations that have an alert'),
  breachedCovenants: int('Breached covenants'),
  overduePayments: int('Overdue payments'),
  overdueAmount: decimal('Sum of the overdue payments whose amount is known, in BRL, 2 decimals'),
  paymentsWithoutAmount: int('Overdue payments whose amount is not known; `overdueAmount` is without them'),
  overdueObligations: int('Overdue obligations'),
}) {}

// The resolver adds the totals.
export const OperationAlertConnection = connectionType(OperationAlert, {
  name: 'OperationAlert',
  nodes: 'alerts',
  order: 'covenants, then payments and obligations, the most overdue first',
});

@ArgsType()
export class AlertArgs extends args({
  ...ofPage(),
  tickers: nullable.texts(
    'Only alerts about the operations with these tickers or slugs, in any case, at most 100; all public operations when omitted or empty',
  ),
  kinds: nullable.list(() => AlertKindEnum, 'Only alerts of these kinds; all when omitted or empty'),
}) {}
