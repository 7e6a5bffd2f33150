import { ArgsType, ObjectType } from 'type-graphql';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { PaymentStatusEnum } from '../../securities/payments.js';
import { args, day, fields, flag, id, int, nullable, of, text } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A payment of an operation to its holders.' })
export class Payment extends fields({
  id: id('Id (UUID)'),
  seriesTicker: nullable.text('Ticker of the series; null for a payment of the whole operation'),
  installmentNumber: int('Number of the instalment'),
  event: text('Kind of the payment, a free label: Juros, Amortização…'),
  dueDate: day('Due date'),
  paidDate: nullable.day('Day of the payment; null until it is made'),
  status: of(() => PaymentStatusEnum, 'Status as of today'),
  interestValue: nullable.decimal('Interest; null while it is not known, and of a premium'),
  principalValue: nullable.decimal('Principal; null while it is not known, and of a premium'),
  totalValue: nullable.decimal('Interest and principal, or the premium of an event; null while it is not known'),
  openValue: nullable.decimal('What is not paid of `totalValue`; 0.00 once it is PAID; null while that is not known'),
  projected: flag(
    'Whether its amounts are what the pricing engine expects: exactly for a fixed rate; for an index, with its newest rate or number held constant. Not as of a past moment',
  ),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A payment of an operation to its holders, in a list of the payments of several operations.',
})
export class OperationPayment extends fields(
  {
    operationTicker: text('Ticker of the operation'),
    operationName: text('Name of the operation'),
    daysLate: nullable.int('Days since it fell due; null unless it is OVERDUE'),
  },
  Payment,
) {}

export type PaymentFacts = Omit<Shape<OperationPayment>, 'daysLate'>;

@ObjectType({ simpleResolvers: true, description: 'Sums over payments. Values are in BRL with 2 decimals.' })
export class PaymentSums extends fields({
  count: int('Number of payments'),
  projectedCount: int('How many of them have projected amounts, which the sums have too'),
  withoutValue: int('How many of them have no total; no sum has them, nor the part that may be known'),
  interestValue: nullable.decimal(
    'Sum of interest of the payments with a total; null where there are payments and no amount is known',
  ),
  principalValue: nullable.decimal(
    'Sum of principal of the payments with a total; null where there are payments and no amount is known',
  ),
  totalValue: nullable.decimal('Sum of the totals that are known; null where there are payments and no total is known'),
  openValue: nullable.decimal('What is not paid of `totalValue`; null when it is'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Sums over the payments of one operation.' })
export class PaymentsOfOperation extends fields(
  {
    operationTicker: text('Ticker of the operation'),
    operationName: text('Name of the operation'),
  },
  PaymentSums,
) {}

// The resolver adds the sums and the tickers that do not exist.
export const OperationPaymentConnection = connectionType(OperationPayment, {
  name: 'OperationPayment',
  nodes: 'payments of operations',
  order: 'earliest due date first',
});

@ArgsType()
export class OperationPaymentArgs extends args({
  ...ofPage(),
  tickers: nullable.texts(
    'Only payments of the operations with these tickers or slugs, in any case, at most 100; all public operations when omitted or empty',
  ),
  from: nullable.day(
    'First due date; today when omitted, and no lower bound with the status PAID or OVERDUE; no lower bound where `to` is before today',
  ),
  to: nullable.day(
    'Last due date; 90 days after `from` when omitted, and no upper bound with the status PAID or OVERDUE',
  ),
  status: nullable.of(() => PaymentStatusEnum, 'Only payments with this status'),
}) {}
