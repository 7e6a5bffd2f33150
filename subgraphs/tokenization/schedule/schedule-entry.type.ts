import { Field, Int, ObjectType } from 'type-graphql';
import { round, Decimal } from '../../../shared/decimal.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../common/percentage.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ScheduleEntryRow } from './schedule-entry.entity.js';
import { InterestEventEnum, ScheduleStatusEnum } from './schedule.enum.js';
import type { ScheduleStatus } from './schedule.js';

@ObjectType({ simpleResolvers: true, description: 'An instalment of a series.' })
export class ScheduleEntry {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'The day up to which it accrues' })
  calculationDate!: string;

  @Field(() => DateScalar, { description: 'The business day on which it is due' })
  dueDate!: string;

  @Field(() => ScheduleStatusEnum, { description: 'Where it stands' })
  status!: ScheduleStatus;

  @Field(() => InterestEventEnum, { description: 'What becomes of the accrued interest' })
  interestEvent!: InterestEvent;

  @Field(() => DecimalScalar, { description: 'Amortization, in percent of the balance or of the issue value' })
  amortizationPercentage!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Share of the accrued interest that is paid, in percent' })
  interestPercentage!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Share of the principal that is paid, in percent' })
  principalPercentage!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Interest for all units; null until its day is priced' })
  interestValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Principal for all units; null until its day is priced' })
  principalValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Both together; null until its day is priced' })
  totalValue!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'When it was paid' })
  paidOn!: string | null;
}

// Document 2, "Payment schedule entry": the fields as they are documented.
@ObjectType({ simpleResolvers: true, description: 'An instalment in the documented schedule.' })
export class ScheduleItem {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'The business day on which it is due' })
  dueDate!: string;

  @Field(() => ScheduleStatusEnum, { description: 'PENDING: not due yet. PAID: paid. OVERDUE: due and not paid' })
  status!: ScheduleStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Share of the accrued interest that is paid, in percent, 2 decimals; absent where the deed gives none',
  })
  interestPercentage!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Share of the principal that is paid, in percent, 2 decimals; absent where the deed gives none',
  })
  principalPercentage!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Interest for all tokens in BRL, 2 decimals; null until the day of the instalment has been priced',
  })
  interestValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Principal for all tokens in BRL, 2 decimals; null until the day of the instalment has been priced',
  })
  principalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Both together, 2 decimals; null until the day of the instalment has been priced',
  })
  totalValue!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The payment schedule of a series.' })
export class PaymentSchedule {
  @Field(() => [ScheduleItem], { description: 'The instalments, by number' })
  items!: readonly ScheduleItem[];

  @Field(() => Int, { description: 'How many they are' })
  count!: number;
}

export function toScheduleEntry(row: ScheduleEntryRow): Shape<ScheduleEntry> {
  const percentage = (value: string | null) => (value === null ? null : percentageText(value));
  return {
    installmentNumber: row.installmentNumber,
    calculationDate: row.calculationDate,
    dueDate: row.dueDate,
    status: row.status,
    interestEvent: row.interestEvent,
    amortizationPercentage: percentageText(row.amortizationPercentage),
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
    interestValue: row.interestValue,
    principalValue: row.principalValue,
    totalValue: row.totalValue,
    paidOn: row.paidOn,
  };
}

export function toScheduleItem(row: ScheduleEntryRow): Shape<ScheduleItem> {
  const percentage = (value: string | null) => (value === null ? null : round(new Decimal(value), 2).toFixed(2));
  return {
    installmentNumber: row.installmentNumber,
    dueDate: row.dueDate,
    status: row.status,
    interestPercentage: percentage(row.interestPercentage),
    principalPercentage: percentage(row.principalPercentage),
    interestValue: row.interestValue,
    principalValue: row.principalValue,
    totalValue: row.totalValue,
  };
}
