import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Resolver } from 'type-graphql';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { today } from '../../../shared/today.js';
import { Tranche, toTranche, type TrancheShape } from '../tranches/tranche.type.js';
import { generateSchedule } from './generate-schedule.js';
import type { Payment } from './payment.js';
import { recordPayment } from './record-payment.js';
import { reversePayment } from './reverse-payment.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from './schedule-entry.type.js';
import { ScheduleInput, toSchedulePolicy } from './schedule-input.type.js';

@ArgsType()
class PaymentArgs {
  @Field(() => String, { description: "The series' ticker, whatever the case" })
  ticker!: string;

  @Field(() => Int, { description: 'Number of the instalment' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'The day on which it was paid' })
  paidOn!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Interest that was paid, when it is not what was priced' })
  interestValue?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Principal that was paid; given with the interest' })
  principalValue?: string | null;
}

@Resolver()
export class ScheduleMutationsResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @Access('operator', 'publish')
  @Mutation(() => Tranche, {
    description:
      'Makes the schedule of a series that is a DRAFT, in the place of the one that it may have. Errors: 404 for no such series; 409 for one that is no DRAFT any more; 422 for a schedule without meaning.',
  })
  async generateSchedule(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: "The series' ticker, whatever the case" }) ticker: string,
    @Arg('schedule', () => ScheduleInput, { description: 'When it pays, and what' }) schedule: ScheduleInput,
  ): Promise<TrancheShape> {
    const policy = toSchedulePolicy(schedule);
    return toTranche(await generateSchedule(context, await this.calendar(), ticker, policy), today(context));
  }

  @Access('operator', 'publish')
  @Mutation(() => ScheduleEntry, {
    description:
      'Records that an instalment was paid to the holders of a series, with the values of its price unless others are given. Tells of `payment.completed`. The same payment twice is the same answer. Errors: 404 for no such instalment; 409 for one paid otherwise or of unknown value, or a series that owes nothing; 422 for a payment that cannot have been.',
  })
  async recordPayment(
    @Ctx() context: Context,
    @Args(() => PaymentArgs) { ticker, installmentNumber, ...payment }: PaymentArgs,
  ): Promise<ScheduleEntryShape> {
    return toScheduleEntry(await recordPayment(context, ticker, installmentNumber, toPayment(payment)));
  }

  @Access('operator', 'publish')
  @Mutation(() => ScheduleEntry, {
    description:
      'Reverses the payment of an instalment that an operator recorded: it becomes what it was before, and the payment stays in the history with the reason. Errors: 400 for a reason that says nothing; 404 for no such instalment; 409 for one that is not paid, of a series that is CLOSED, or that no operator recorded; 422 where it was changed since.',
  })
  async reversePayment(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: "The series' ticker, whatever the case" }) ticker: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('reason', () => String, {
      description: 'Why, 1 to 500 characters on one line; it is published with the correction',
    })
    reason: string,
  ): Promise<ScheduleEntryShape> {
    return toScheduleEntry(await reversePayment(context, ticker, installmentNumber, reason));
  }
}

/**
 * Converts the arguments to a payment.
 * @throws {ApiError} BAD_REQUEST for one value without the other
 */
function toPayment({
  paidOn,
  interestValue,
  principalValue,
}: Omit<PaymentArgs, 'ticker' | 'installmentNumber'>): Payment {
  if (interestValue != null && principalValue != null) return { paidOn, values: { interestValue, principalValue } };
  if (interestValue != null || principalValue != null) {
    const path = interestValue == null ? 'interestValue' : 'principalValue';
    refuse('BAD_REQUEST', [{ path, message: 'must be given with the other value' }]);
  }
  return { paidOn };
}
