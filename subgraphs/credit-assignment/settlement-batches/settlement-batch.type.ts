import { Directive, InputType, ObjectType } from 'type-graphql';
import { BatchStatusEnum, ofCourse, ofRejection, ofSender } from '../batches/batch.type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { SettlementKind } from './check-settlements.js';
import { day, decimal, fields, flag, id, inputs, int, nullable, of, text } from '../../../shared/graphql/fields.js';

export const surplusText =
  'Late interest and fines received with it beyond the open balance, which does not fall by them, in BRL';

export const SettlementKindEnum = describeEnum<SettlementKind>(
  'SettlementKind',
  'What lowers the balance of a receivable.',
  {
    PAYMENT: 'A payment that was received.',
    ABATEMENT: 'An abatement: the debtor owes less, and nothing was received.',
    DISCOUNT:
      'What an early payment or repurchase of the same day and batch need not pay: nothing was received. At most what the rate and day count of the contract give; none without a rate.',
    REPURCHASE: 'The assignor buys the receivable back, which is closed: a receipt.',
    SUBSTITUTION:
      'Another receivable of the same client and estate takes the place of this one, which is closed: nothing was received.',
  },
  {
    PAYMENT: ['Pagamento', 'Payment'],
    ABATEMENT: ['Abatimento', 'Abatement'],
    DISCOUNT: ['Desconto por antecipação', 'Early payment discount'],
    REPURCHASE: ['Recompra', 'Repurchase'],
    SUBSTITUTION: ['Substituição', 'Substitution'],
  },
);

// Resolvers add its credit batch, its errors and its payments.
@ObjectType({ simpleResolvers: true, description: 'Payments that were received for receivables of a credit batch.' })
@Directive('@key(fields: "id")')
export class SettlementBatch extends fields({
  ...ofSender,
  id: id('Id (UUID)'),
  creditBatchId: id('Id of the credit batch whose receivables were paid'),
  patrimonyId: id('Id of the estate that holds the credits'),
  status: of(() => BatchStatusEnum, 'Status of the batch'),
  settlementCount: int('Number of payments in the batch'),
  totalSettledAmount: decimal(
    'Total amount of the payments and repurchases as they were sent, without their surplus, in BRL with 2 decimals: also of those that are `repeated` or `reversed`, and so reduce no balance',
  ),
  totalSurplus: decimal('Total surplus of the same payments, in BRL with 2 decimals'),
  totalAbated: decimal(
    'Total of the abatements, discounts and substitutions, which are no receipts, as they were sent, in BRL with 2 decimals',
  ),
  ...ofRejection,
  errorCount: int('Number of payments with errors, when the batch was rejected'),
  ...ofCourse,
}) {}

@InputType({
  description: 'Filter of a list of settlement batches. A field that is omitted does not restrict the list.',
})
export class SettlementBatchFilter extends inputs({
  status: nullable.of(() => BatchStatusEnum, 'Only batches with this status'),
  number: nullable.int('Only batches with this number, of any year'),
  creditBatchId: nullable.id('Only batches for the credit batch with this id'),
  patrimonyId: nullable.id('Only batches for the estate with this id'),
  from: nullable.day('Only batches created on this day or later, in São Paulo'),
  to: nullable.day('Only batches created on this day or earlier, in São Paulo'),
}) {}

// The resolver adds its batch.
@ObjectType({ simpleResolvers: true, description: 'A payment that was received for a receivable.' })
export class Settlement extends fields({
  contractId: id('Id of the receivable'),
  externalId: text("Identifier of the contract in the originator's system"),
  kind: of(() => SettlementKindEnum, 'What it is'),
  settledAmount: decimal('Amount by which the balance falls, in BRL with 2 decimals'),
  surplus: decimal(`${surplusText}, 2 decimals`),
  settledDate: day('Day on which it was received'),
  paymentReference: nullable.text('Reference of the originator for the payment; null without one'),
  reason: nullable.text('Reason that was given; tax ids in it are masked'),
  substituteId: nullable.id('Id of the receivable that takes the place of a substituted one; null for other kinds'),
  repeated: flag(
    'Whether the payment repeats one with the same reference, in another batch or earlier in this one, and therefore did not reduce the balance; determined when the batch is processed',
  ),
  reversed: flag(
    'Whether an operator reversed the payment: `reversedAmount` of it is open again, and its surplus is returned',
  ),
  reversedAmount: decimal(
    'How much of the amount was reversed, in BRL with 2 decimals: of several instalments one may be reversed',
  ),
}) {}
