import { ObjectType, ArgsType, InputType } from 'type-graphql';
import { round, Decimal } from '../../../shared/kernel/decimal.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { PaymentStatusEnum, usualPaymentDays } from '../../securities/payments.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { EntryValue } from '../events/entry-values.js';
import { openOf, paidOf, shownStatus, type ScheduleEntryStatus } from './payment.js';
import { entryName, type ScheduleEntryRow } from './schedule.store.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { AmortizationSystem, SchedulePolicy } from '../unit-price/schedule-policy.js';
import {
  args,
  day,
  decimal,
  fields,
  flag,
  inputs,
  int,
  list,
  month,
  nullable,
  of,
} from '../../../shared/graphql/fields.js';

export const ScheduleEntryStatusEnum = describeEnum<ScheduleEntryStatus>(
  'ScheduleEntryStatus',
  'Status of an instalment of a series.',
  {
    PENDING: 'Nothing is paid, and it is not late',
    PARTIALLY_PAID: 'A part is paid, and the rest is open, late or not',
    PAID: 'Paid in full',
    OVERDUE: 'Late: it fell due and nothing is paid',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    PARTIALLY_PAID: ['Pago em parte', 'Partially paid'],
    PAID: ['Pago', 'Paid'],
    OVERDUE: ['Vencido', 'Overdue'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'Amounts of an instalment for all units, in BRL with 2 decimals.' })
export class ScheduleAmounts extends fields({
  interestValue: decimal('Interest'),
  principalValue: decimal('Principal'),
  premiumValue: decimal('Premium of an event; 0.00 of an instalment'),
  totalValue: decimal('All of them together'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'A payment of an instalment, for all units, in BRL with 2 decimals. `amount` is the sum of what it was imputed to: expenses, fine, mora, remuneration, interest, principal, premium.',
})
export class SchedulePayment extends fields({
  id: nullable.id(
    'Id (UUID), by which it is reversed; null for the payment of an instalment that an import marked as paid',
  ),
  paidOn: day('Day of the payment'),
  amount: decimal('All that was paid'),
  expenses: decimal('Expenses'),
  fine: decimal('Late charges: the fine'),
  mora: decimal('Late charges: the interest for the delay'),
  remuneration: decimal('Late charges: the remuneration that went on since the due day'),
  interest: decimal('Interest of the instalment'),
  principal: decimal('Principal of the instalment'),
  premium: decimal('Premium, beyond what was due'),
  reference: nullable.text('Reference, unique in the series, also after a reversal'),
  recordedAt: nullable.time('Time of its record; null for a payment of an import'),
  reversedAt: nullable.time('Time of its reversal; null while it stands'),
  reversalReason: nullable.text('Reason of its reversal; null while it stands'),
}) {}

@ObjectType('LateCharges', {
  simpleResolvers: true,
  description:
    'Late charges of an instalment on a day by the terms of its series, in BRL, each rounded half up to cents, without what was paid of them. All 0.00 for a series without terms.',
})
export class LateChargesType extends fields({
  fine: decimal('`lateFinePercent` of what was unpaid after the due day'),
  mora: decimal(
    'Interest for the delay: `lateInterestPercent` a month on what is unpaid, by its calendar days since the due day over 30, or compounded, as `lateInterestMode` says',
  ),
  remuneration: nullable.decimal(
    'Remuneration of what is unpaid since the due day, by the index and rate of the series; null while a published number is missing',
  ),
  total: nullable.decimal('The sum; null when `remuneration` is'),
}) {}

// A separate resolver adds its values, since they may require a projection.
@ObjectType({ simpleResolvers: true, description: 'An instalment of a series.' })
export class ScheduleEntry extends fields({
  installmentNumber: int('Number, from 1; 0 for what an event pays'),
  event: nullable.text('Number of the event that it is of, such as `E1`; null for an instalment'),
  calculationDate: day('Day until which it accrues'),
  dueDate: day('Business day on which it is due'),
  status: of(
    () => ScheduleEntryStatusEnum,
    'PENDING: not yet due. PARTIALLY_PAID: paid in part, due or not. PAID: paid in full. OVERDUE: due, and nothing is paid',
  ),
  paid: of(() => ScheduleAmounts, 'What is paid of its interest and principal, without late charges'),
  interestEvent: of(() => InterestEventEnum, 'Use of the accrued interest'),
  amortizationPercentage: decimal('Amortization, in percent of the balance or of the issue value'),
  interestPercentage: nullable.decimal('Share of the accrued interest that is paid, in percent'),
  principalPercentage: nullable.decimal('Share of the principal that is paid, in percent'),
  paidOn: nullable.day('Day on which it was paid in full'),
}) {}

export type ScheduleEntryShape = Shape<ScheduleEntry> & { readonly row: ScheduleEntryRow };

export const projectedInWords =
  'projected until its day has been priced: exactly for a fixed rate; for a series that follows an index, with its newest rate or index number held constant';

// The fields of docs/contract/tokenization.md §4.2.
@ObjectType({ simpleResolvers: true, description: 'An instalment in a schedule of the REST API.' })
export class ScheduleItem extends fields({
  installmentNumber: int('Number, from 1; 0 for what an event pays'),
  event: nullable.text(
    'Number of the event that it is of, such as `E1` (an early redemption, for example); absent of an instalment',
  ),
  dueDate: day('Business day on which it is due'),
  status: of(
    () => PaymentStatusEnum,
    'PENDING: not yet due. PAID: paid in full. OVERDUE: due and not paid in full; `openValue` is what is not',
  ),
  interestPercentage: nullable.decimal(
    'Share of the accrued interest that is paid, in percent, 2 decimals; null when the deed gives none (omitted over REST)',
  ),
  principalPercentage: nullable.decimal(
    'Share of the principal that is paid, in percent, 2 decimals; null when the deed gives none (omitted over REST)',
  ),
  interestValue: nullable.decimal(
    `Interest for all tokens in BRL, 2 decimals; ${projectedInWords}; null when it cannot be projected (omitted over REST)`,
  ),
  principalValue: nullable.decimal(
    `Principal for all tokens in BRL, 2 decimals; ${projectedInWords}; null when it cannot be projected (omitted over REST)`,
  ),
  totalValue: nullable.decimal(
    'Interest and principal together, and the premium of an event, 2 decimals; absent when they are',
  ),
  premiumValue: nullable.decimal('Premium of an event for all tokens in BRL, 2 decimals; absent of an instalment'),
  openValue: nullable.decimal(
    'What is not paid of `totalValue`, 2 decimals; 0.00 once it is PAID; absent when `totalValue` is',
  ),
  projected: flag('Whether the values are projected, and not calculated from a price or paid'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The payment schedule of a series.' })
export class PaymentSchedule extends fields({
  items: list(() => ScheduleItem, 'The instalments and what events pay, sorted by day', { assumedSize: 200 }),
  count: int('Number of items'),
}) {}

export function toScheduleEntry(row: ScheduleEntryRow): ScheduleEntryShape {
  const percentage = (value: string | null) => (value === null ? null : percentageText(value));
  const { calculationDate, dueDate, interestEvent, paidOn } = row;
  return {
    row,
    ...numberOf(row),
    ...{ calculationDate, dueDate, interestEvent, paidOn },
    status: shownStatus(row),
    paid: paidOf(row),
    amortizationPercentage: percentageText(row.amortizationPercentage),
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
  };
}

export function numberOf({ installmentNumber }: Pick<ScheduleEntryRow, 'installmentNumber'>) {
  const isEvent = installmentNumber < 0;
  return { installmentNumber: isEvent ? 0 : installmentNumber, event: isEvent ? entryName(installmentNumber) : null };
}

/** @param projected the expected amounts, if the row has none and they can be projected */
export function toScheduleItem(row: ScheduleEntryRow, projected?: EntryValue): Shape<ScheduleItem> {
  const percentage = (value: string | null) => (value === null ? null : round(new Decimal(value), 2).toFixed(2));
  return {
    ...numberOf(row),
    dueDate: row.dueDate,
    status: row.status,
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
    ...valuesOf(row, projected),
  };
}

export type ScheduleValues = Pick<
  ScheduleItem,
  'interestValue' | 'principalValue' | 'premiumValue' | 'totalValue' | 'openValue' | 'projected'
>;

/** Returns the amounts of an instalment: the known ones, else the projected ones; null without either. */
export function valuesOf(known: ScheduleEntryRow, projected: EntryValue | undefined): ScheduleValues {
  const isProjected = projected !== undefined && known.interestValue === null;
  const { interestValue, principalValue, premiumValue: premium, totalValue } = isProjected ? projected : known;
  const premiumValue = known.installmentNumber < 0 && interestValue !== null ? premium : null;
  const openValue = openOf(known, totalValue);
  return { interestValue, principalValue, premiumValue, totalValue, openValue, projected: isProjected };
}

export const UpcomingPaymentConnection = connectionType(ScheduleEntry, {
  name: 'UpcomingPayment',
  nodes: 'payments',
  order: 'by due date, ticker of the series and number',
});

@ArgsType()
export class UpcomingPaymentArgs extends args({
  ...ofPage(),
  tickers: nullable.texts(
    'Only payments of series with one of these tickers, in any case; `unknownTickers` has those that no series has. An empty list does not restrict the payments',
  ),
  from: nullable.day(
    'First due date; today in São Paulo when omitted, and no lower bound with the status PAID or OVERDUE, nor where `to` is before today. An earlier day includes overdue payments',
  ),
  to: nullable.day(
    `Last due date; ${String(usualPaymentDays)} days after the first one when omitted, and no upper bound with the status PAID or OVERDUE`,
  ),
  status: nullable.of(
    () => PaymentStatusEnum,
    'Only payments that are overdue (OVERDUE), not yet overdue (PENDING), both with those that are paid in part, or paid in full, also of CLOSED series (PAID); those with something open when omitted',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Sums of the payments on all pages, for all units of their series.' })
export class UpcomingPaymentTotals extends fields({
  count: int('Number of payments'),
  interestValue: nullable.decimal(
    'Interest in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  ),
  principalValue: nullable.decimal(
    'Principal in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  ),
  premiumValue: nullable.decimal(
    'Premiums of events in BRL, 2 decimals; null where there are payments and none has an amount',
  ),
  totalValue: nullable.decimal(
    'Interest, principal and premiums in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  ),
  openValue: nullable.decimal('What is not paid of `totalValue`; null when it is'),
  projectedCount: int('Number of payments whose amounts are projected'),
  withoutValue: int('Number of payments that have no amount and cannot be projected; no sum has them'),
}) {}

export const InterestEventEnum = describeEnum<InterestEvent>(
  'InterestEvent',
  'Use of the accrued interest at an instalment.',
  {
    PAID: 'It is paid',
    INCORPORATED: 'It is added to the principal',
    ACCRUED: 'It is left to accrue further',
  },
  { PAID: ['Pagos', 'Paid'], INCORPORATED: ['Incorporados', 'Incorporated'], ACCRUED: ['Acumulados', 'Accrued'] },
);

const SystemEnum = describeEnum<AmortizationSystem['kind']>(
  'AmortizationSystem',
  'System by which principal is repaid.',
  {
    BULLET: 'In full at the end',
    SAC: 'In equal parts',
    PRICE: 'By equal payments for equal periods, interest and principal together',
    TABLE: 'According to the table of the deed',
  },
);

const AccrueUntilEnum = describeEnum<SchedulePolicy['accrueUntil']>(
  'AccrueUntil',
  'Day until which interest accrues.',
  {
    ANNIVERSARY: 'Until the anniversary, even if it is paid later',
    DUE_DATE: 'Until the day on which it is paid',
  },
);

const GraceInterestEnum = describeEnum<SchedulePolicy['graceInterest']>(
  'GraceInterest',
  'Use of interest that is not paid.',
  { INCORPORATED: 'It is added to the principal', ACCRUED: 'It is left to accrue further' },
);

@InputType({ description: 'System by which principal is repaid.' })
export class AmortizationInput extends inputs({
  system: of(() => SystemEnum, 'System of repayment'),
  rate: nullable.decimal('Rate for PRICE, in percent per year'),
  percentages: nullable.list<string>(
    () => DecimalScalar,
    'Percentages for TABLE, one for each instalment: of the balance, the last one 100, or, for a series with `amortizationOf: ISSUE_VALUE` in its import, of the issue value, 100 together',
    { maxItems: 1_200 },
  ),
}) {}

@InputType({ description: 'Rules of the payment schedule of a series.' })
export class ScheduleInput extends inputs({
  firstMonth: month('Month of the first instalment'),
  anniversaryDay: int('Day of the month, 1 to 31; the last day in months without such a day'),
  everyMonths: int('Number of months from one instalment to the next, 1 to 120', { defaultValue: 1 }),
  installments: int('Number of instalments, 1 to 600'),
  accrueUntil: of(
    () => AccrueUntilEnum,
    'Day until which the interest of an instalment accrues. Deeds let it be paid on the next business day without any addition: the default',
    { defaultValue: 'ANNIVERSARY' },
  ),
  amortization: of(() => AmortizationInput, 'Repayment of the principal'),
  principalGrace: int('Number of instalments at the beginning that pay no principal; less than all', {
    defaultValue: 0,
  }),
  interestGrace: int('Number of instalments at the beginning that pay no interest either; at most `principalGrace`', {
    defaultValue: 0,
  }),
  graceInterest: of(() => GraceInterestEnum, 'Use of the interest that is not paid', { defaultValue: 'INCORPORATED' }),
  percentageDecimals: int('Decimals of the amortization percentages, 0 to 8', { defaultValue: 4 }),
}) {}

/** @throws {ApiError} BAD_REQUEST for an amortization system without its parameters */
export function toSchedulePolicy({ installments, amortization, ...rest }: ScheduleInput): SchedulePolicy {
  return { ...rest, instalments: installments, amortization: toSystem(amortization) };
}

function toSystem({ system, rate, percentages }: AmortizationInput): AmortizationSystem {
  if (system === 'PRICE') {
    if (rate == null) throw lacking('rate', system);
    return { kind: system, rate: new Decimal(rate) };
  }
  if (system === 'TABLE') {
    if (percentages == null) throw lacking('percentages', system);
    return { kind: system, percentages: percentages.map((percentage) => new Decimal(percentage)) };
  }
  return { kind: system };
}

function lacking(field: string, system: string): ApiError {
  return new ApiError('BAD_REQUEST', {
    details: [{ path: `schedule.amortization.${field}`, message: `must be given together with ${system}` }],
  });
}
