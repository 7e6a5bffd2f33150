import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { round, Decimal } from '../../../shared/decimal.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../../../shared/format/percentage.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ProjectedValue } from './project-instalments.js';
import type { ScheduleEntryRow } from './schedule.store.js';
import { InterestEventEnum } from './schedule.enum.js';

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
