import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Resolver } from 'type-graphql';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { today } from '../../../shared/kernel/today.js';
import { Tranche, toTranche, type TrancheShape } from '../tranches/tranche.type.js';
import { generateSchedule } from './generate-schedule.js';
import type { Payment } from './payment.js';
import { recordPayment } from './record-payment.js';
import { reversePayment } from './reverse-payment.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from './schedule-entry.type.js';
import { ScheduleInput, toSchedulePolicy } from './schedule-input.type.js';

@ArgsType()
class PaymentArgs {
  @Field(() => String, { description: 'Ticker of the series, in any case' })
  ticker!: string;

  @Field(() => Int, { description: 'Number of the instalment' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'Day of the payment' })
  paidOn!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Paid interest, when it differs from the calculated one' })
  interestValue?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Paid principal; given together with the interest' })
  principalValue?: string | null;
}

@Resolver()
export class ScheduleMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => Tranche, {
    description:
      'Generates the schedule of a series that is a DRAFT, and replaces an existing one. Errors: 404 for a series that does not exist; 409 for one that is not a DRAFT; 422 for an invalid schedule.',
  })
  async generateSchedule(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('schedule', () => ScheduleInput, { description: 'Rules of the schedule' }) schedule: ScheduleInput,
  ): Promise<TrancheShape> {
    const policy = toSchedulePolicy(schedule);
    // Over the connection of the act, which waits for no second one.
    const calendar = await loadCalendar(context.manager);
    return toTranche(await generateSchedule(context, calendar, ticker, policy), today(context));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => ScheduleEntry, {
    description:
      'Records that an instalment was paid to the holders of a series, with the values of its price unless others are given. Announced as `payment.completed`. Repeating the call for the same payment returns the same result. Errors: 404 for an instalment that does not exist; 409 for one with another payment or of unknown value, and for a series without open obligations; 422 for an impossible payment.',
  })
  async recordPayment(
    @Ctx() context: Context,
    @Args(() => PaymentArgs) { ticker, installmentNumber, ...payment }: PaymentArgs,
  ): Promise<ScheduleEntryShape> {
    return toScheduleEntry(await recordPayment(context, ticker, installmentNumber, toPayment(payment)));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => ScheduleEntry, {
    description:
      'Reverses the payment of an instalment, recorded by an operator or brought by an import: the instalment is owed again, with the amounts by the price of its day, and the payment remains in the history with the reason. Errors: 400 for an empty reason; 404 for an instalment that does not exist; 409 for one that is not paid or pays nothing, or of a CLOSED series.',
  })
  async reversePayment(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('reason', () => String, {
      description: 'Reason, 1 to 500 characters on one line; it is published with the correction',
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
    refuse('BAD_REQUEST', [{ path, message: 'must be given together with the other value' }]);
  }
  return { paidOn };
}
