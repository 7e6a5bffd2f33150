import { Directive, Field, Int, ObjectType, ArgsType, InputType } from 'type-graphql';
import { round, Decimal } from '../../../shared/kernel/decimal.js';
import { DateScalar, DecimalScalar, MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { type PaymentStatus, PaymentStatusEnum, usualPaymentDays } from '../../securities/payments.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ProjectedValue } from './project-instalments.js';
import type { ScheduleEntryRow } from './schedule.store.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { AmortizationSystem, SchedulePolicy } from '../unit-price/schedule-policy.js';

// A separate resolver adds its values, since they may require a projection.
@ObjectType({ simpleResolvers: true, description: 'An instalment of a series.' })
export class ScheduleEntry {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'Day until which it accrues' })
  calculationDate!: string;

  @Field(() => DateScalar, { description: 'Business day on which it is due' })
  dueDate!: string;

  @Field(() => PaymentStatusEnum, { description: 'PENDING: not yet due. PAID: paid. OVERDUE: due and not paid' })
  status!: PaymentStatus;

  @Field(() => InterestEventEnum, { description: 'Use of the accrued interest' })
  interestEvent!: InterestEvent;

  @Field(() => DecimalScalar, { description: 'Amortization, in percent of the balance or of the issue value' })
  amortizationPercentage!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Share of the accrued interest that is paid, in percent' })
  interestPercentage!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Share of the principal that is paid, in percent' })
  principalPercentage!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the payment' })
  paidOn!: string | null;
}

/** An instalment as resolvers pass it on: the visible fields, and what its values are computed from. */
export type ScheduleEntryShape = Shape<ScheduleEntry> &
  Pick<Readonly<ScheduleEntryRow>, 'trancheId' | 'interestValue' | 'principalValue' | 'totalValue'>;

/** Explains the origin of the values, for all of their descriptions. */
export const projectedInWords =
  'projected until its day has been priced: exactly for a fixed rate; for a series that follows an index, with its newest rate or index number held constant';

// The fields of docs/contract/tokenization.md §4.2.
@ObjectType({ simpleResolvers: true, description: 'An instalment in a schedule of the REST API.' })
export class ScheduleItem {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'Business day on which it is due' })
  dueDate!: string;

  @Field(() => PaymentStatusEnum, { description: 'PENDING: not yet due. PAID: paid. OVERDUE: due and not paid' })
  status!: PaymentStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Share of the accrued interest that is paid, in percent, 2 decimals; null when the deed gives none (omitted over REST)',
  })
  interestPercentage!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Share of the principal that is paid, in percent, 2 decimals; null when the deed gives none (omitted over REST)',
  })
  principalPercentage!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Interest for all tokens in BRL, 2 decimals; ${projectedInWords}; null when it cannot be projected (omitted over REST)`,
  })
  interestValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: `Principal for all tokens in BRL, 2 decimals; ${projectedInWords}; null when it cannot be projected (omitted over REST)`,
  })
  principalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal together, 2 decimals; absent when they are',
  })
  totalValue!: string | null;

  @Field(() => Boolean, { description: 'Whether the values are projected, and not calculated from a price or paid' })
  projected!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The payment schedule of a series.' })
export class PaymentSchedule {
  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [ScheduleItem], { description: 'The instalments, sorted by number' })
  items!: readonly ScheduleItem[];

  @Field(() => Int, { description: 'Number of instalments' })
  count!: number;
}

export function toScheduleEntry(row: ScheduleEntryRow): ScheduleEntryShape {
  const percentage = (value: string | null) => (value === null ? null : percentageText(value));
  return {
    ...row,
    amortizationPercentage: percentageText(row.amortizationPercentage),
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
  };
}

/**
 * Converts a row to the REST type.
 * @param projected the expected amounts, if the row has none and they can be projected
 */
export function toScheduleItem(row: ScheduleEntryRow, projected?: ProjectedValue): Shape<ScheduleItem> {
  const percentage = (value: string | null) => (value === null ? null : round(new Decimal(value), 2).toFixed(2));
  return {
    installmentNumber: row.installmentNumber,
    dueDate: row.dueDate,
    status: row.status,
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
    ...valuesOf(row, projected),
  };
}

/** The amounts of an instalment, and whether they are projected. */
export type ScheduleValues = Pick<ScheduleItem, 'interestValue' | 'principalValue' | 'totalValue' | 'projected'>;

/** Returns the amounts of an instalment: the known ones, else the projected ones; null without either. */
export function valuesOf(
  known: Pick<ScheduleEntryRow, 'interestValue' | 'principalValue' | 'totalValue'>,
  projected: ProjectedValue | undefined,
): ScheduleValues {
  const { interestValue, principalValue, totalValue } = known;
  if (projected === undefined || interestValue !== null)
    return { interestValue, principalValue, totalValue, projected: false };
  return { ...projected, projected: true };
}

export const UpcomingPaymentConnection = connectionType(ScheduleEntry, {
  name: 'UpcomingPayment',
  nodes: 'payments',
  order: 'by due date, ticker of the series and number',
});

@ArgsType()
export class UpcomingPaymentArgs extends connectionArgs() {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only payments of series with one of these tickers, in any case; `unknownTickers` has those that no series has. An empty list does not restrict the payments',
  })
  tickers?: string[] | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'First due date; today in São Paulo when omitted, and no lower bound with the status PAID or OVERDUE, nor where `to` is before today. An earlier day includes overdue payments',
  })
  from?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: `Last due date; ${String(usualPaymentDays)} days after the first one when omitted, and no upper bound with the status PAID or OVERDUE`,
  })
  to?: string | null;

  @Field(() => PaymentStatusEnum, {
    nullable: true,
    description:
      'Only payments that are overdue (OVERDUE), not yet overdue (PENDING), or paid, also of CLOSED series (PAID); unpaid ones when omitted',
  })
  status?: PaymentStatus | null;
}

@ObjectType({ simpleResolvers: true, description: 'Sums of the payments on all pages, for all units of their series.' })
export class UpcomingPaymentTotals {
  @Field(() => Int, { description: 'Number of payments' })
  count!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Interest in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  interestValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Principal in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  principalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Interest and principal in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  totalValue!: string | null;

  @Field(() => Int, { description: 'Number of payments whose amounts are projected' })
  projectedCount!: number;

  @Field(() => Int, { description: 'Number of payments that have no amount and cannot be projected; no sum has them' })
  withoutValue!: number;
}

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
export class AmortizationInput {
  @Field(() => SystemEnum, { description: 'System of repayment' })
  system!: AmortizationSystem['kind'];

  @Field(() => DecimalScalar, { nullable: true, description: 'Rate for PRICE, in percent per year' })
  rate?: string | null;

  @AtMost({ maxItems: 1_200 })
  @Field(() => [DecimalScalar], {
    nullable: true,
    description:
      'Percentages for TABLE, one for each instalment: of the balance, the last one 100, or, for a series with `amortizationOf: ISSUE_VALUE` in its import, of the issue value, 100 together',
  })
  percentages?: readonly string[] | null;
}

@InputType({ description: 'Rules of the payment schedule of a series.' })
export class ScheduleInput {
  @Field(() => MonthScalar, { description: 'Month of the first instalment' })
  firstMonth!: string;

  @Field(() => Int, { description: 'Day of the month, 1 to 31; the last day in months without such a day' })
  anniversaryDay!: number;

  @Field(() => Int, { defaultValue: 1, description: 'Number of months from one instalment to the next, 1 to 120' })
  everyMonths!: number;

  @Field(() => Int, { description: 'Number of instalments, 1 to 600' })
  installments!: number;

  @Field(() => AccrueUntilEnum, {
    defaultValue: 'ANNIVERSARY',
    description:
      'Day until which the interest of an instalment accrues. Deeds let it be paid on the next business day without any addition: the default',
  })
  accrueUntil!: SchedulePolicy['accrueUntil'];

  @Field(() => AmortizationInput, { description: 'Repayment of the principal' })
  amortization!: AmortizationInput;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Number of instalments at the beginning that pay no principal; less than all',
  })
  principalGrace!: number;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Number of instalments at the beginning that pay no interest either; at most `principalGrace`',
  })
  interestGrace!: number;

  @Field(() => GraceInterestEnum, { defaultValue: 'INCORPORATED', description: 'Use of the interest that is not paid' })
  graceInterest!: SchedulePolicy['graceInterest'];

  @Field(() => Int, { defaultValue: 4, description: 'Decimals of the amortization percentages, 0 to 8' })
  percentageDecimals!: number;
}

/**
 * Converts the input to a policy.
 * @throws {ApiError} BAD_REQUEST for an amortization system without its parameters
 */
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
