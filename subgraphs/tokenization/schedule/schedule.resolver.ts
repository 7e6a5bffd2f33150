import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Query,
  Resolver,
  Root,
  Int,
  Directive,
  Mutation,
} from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound, refuse } from '../../../shared/kernel/errors.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { connectionPage, numberKey, pageOfList, openPage } from '../../../shared/graphql/list-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { connectionArgs, PageSize } from '../../../shared/graphql/page-args.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { filterTickers } from '../../securities/tickers.js';
import { type PaymentStatus, PaymentStatusEnum, overdueUntil, paymentWindow } from '../../securities/payments.js';
import { findTranche, tranchesById, type TrancheRow, tranchesByTicker } from '../tranches/tranche.store.js';
import { Tranche, type TrancheShape, toTranche } from '../tranches/tranche.type.js';
import type { Projections } from './projections.js';
import {
  PaymentSchedule,
  ScheduleEntry,
  toScheduleEntry,
  toScheduleItem,
  type ScheduleEntryShape,
  projectedInWords,
  valuesOf,
  type ScheduleValues,
  UpcomingPaymentArgs,
  UpcomingPaymentConnection,
  UpcomingPaymentTotals,
  ScheduleInput,
  toSchedulePolicy,
} from './schedule-entry.type.js';
import { lastDueDates, mostInstalments, schedulesOf } from './schedule.store.js';
import { readStamp } from '../revision/revision.js';
import { type Calendar, loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { addUpUpcomingPayments, generateSchedule, recordPayment } from './schedule.acts.js';
import type { UpcomingQuery } from './upcoming-payments.js';
import { countUpcomingPayments, listUpcomingPayments } from './schedule-writes.store.js';
import type { Payment } from './payment.js';
import { reversePayment } from './reverse-payment.js';

const schedulePage = { usual: 200, most: mostInstalments } as const;

@ArgsType()
class ScheduleArgs extends connectionArgs(schedulePage) {
  @Field(() => PaymentStatusEnum, { nullable: true, description: 'Only instalments with this status' })
  status?: PaymentStatus | null;

  @Field(() => DateScalar, { nullable: true, description: 'First due date; no lower bound when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last due date; no upper bound when omitted' })
  to?: string | null;
}

const ScheduleEntryConnection = connectionType(ScheduleEntry, {
  name: 'ScheduleEntry',
  nodes: 'instalments',
  order: 'sorted by number',
});

@Resolver(() => Tranche)
export class ScheduleResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly projections: Projections,
  ) {}

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => PaymentSchedule, {
    description:
      'The complete payment schedule of a series. REST: GET /public/tranches/{ticker}/payment-schedule. Errors: 404 when the series does not exist.',
  })
  async paymentSchedule(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
  ): Promise<Shape<PaymentSchedule>> {
    const tranche = requireFound(await findTranche(context, ticker), 'There is no such series');
    const rows = await loaderOf(context, schedulesOf).load(tranche.id);
    const known = rows.every(({ interestValue }) => interestValue !== null);
    const projection = known ? undefined : await loaderOf(context, this.projections).load(tranche.id);
    const items = rows.map((row) => toScheduleItem(row, projection?.get(row.installmentNumber)));
    return { items, count: rows.length };
  }

  @AsOf()
  @PageSize(schedulePage)
  @FieldResolver(() => ScheduleEntryConnection, {
    description:
      'Its instalments, sorted by number. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async schedule(
    @Ctx() context: Context,
    @Root() { id }: TrancheShape,
    @Args(() => ScheduleArgs) { status, from, to, ...wanted }: ScheduleArgs,
  ): Promise<Connection<ScheduleEntryShape>> {
    requirePeriod(from, to);
    const rows = (await loaderOf(context, schedulesOf).load(id))
      .filter(({ dueDate }) => (from == null || dueDate >= from) && (to == null || dueDate <= to))
      .filter((row) => status == null || row.status === status);
    const page = pageOfList(this.codec, rows, connectionPage(wanted), {
      ...schedulePage,
      scope: JSON.stringify(['schedule', id, status ?? null, from ?? null, to ?? null]),
      keys: [{ of: ({ installmentNumber }) => numberKey(installmentNumber) }],
    });
    return toConnection(page, toScheduleEntry, () => rows.length);
  }

  @FieldResolver(() => DateScalar, {
    nullable: true,
    description: 'Maturity date: the due date of its last instalment; null without a payment schedule',
  })
  maturityDate(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<string | null> {
    return loaderOf(context, lastDueDates).load(id);
  }
}

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

/** A page with its query, whose payments are added up when the totals are selected. */
interface Listing extends Connection<ScheduleEntryShape> {
  readonly query: UpcomingQuery;
  /** As the caller wrote them. */
  readonly requested: readonly string[];
}

@Resolver(() => UpcomingPaymentConnection)
export class UpcomingPaymentResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly projections: Projections,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @Access('anyone')
  @AsOf()
  @Query(() => UpcomingPaymentConnection, {
    description:
      'Unpaid instalments of tokenized series in FUNDRAISING or ACTIVE that are due in a period, by default the next 90 days, or those with a status; those that pay nothing are left out. Errors: 400 for a period that ends before it begins, arguments that are out of bounds and an invalid cursor.',
  })
  async upcomingPayments(
    @Ctx() context: Context,
    @Args(() => UpcomingPaymentArgs) { tickers, from, to, status, ...wanted }: UpcomingPaymentArgs,
  ): Promise<Listing> {
    requirePeriod(from, to);
    const day = today(context);
    const query = {
      ...paymentWindow({ from, to, status }, day),
      tickers: filterTickers(tickers),
      overdueUntil: overdueUntil(day, await this.calendar()),
    };
    // The scope has the days as they were given: a list of the next days can be read across midnight.
    const scope = JSON.stringify(['upcoming', query.tickers, from ?? null, to ?? null, query.status]);
    const page = openPage(this.codec, connectionPage(wanted), { scope });
    const found = page.take(await listUpcomingPayments(context, query, page), (row) => [
      row.dueDate,
      row.ticker.toLowerCase(),
      numberKey(row.installmentNumber),
    ]);
    const connection = toConnection(found, toScheduleEntry, () => countUpcomingPayments(context, query));
    return Object.assign(connection, { query, requested: tickers ?? [] });
  }

  @Directive('@cost(weight: 100)')
  @FieldResolver(() => UpcomingPaymentTotals, {
    description:
      'Sums over the payments of all pages. Errors: 400 for more than 500 series or 10,000 payments: send tickers, or a shorter period.',
  })
  totals(@Ctx() context: Context, @Root() { query }: Listing): Promise<Shape<UpcomingPaymentTotals>> {
    return addUpUpcomingPayments(context, this.projections, query);
  }

  @FieldResolver(() => [String], { description: 'Those of the requested tickers that no tokenized series has' })
  async unknownTickers(@Ctx() context: Context, @Root() { requested }: Listing): Promise<string[]> {
    const found = requested.length === 0 ? [] : await tranchesByTicker(context, requested);
    return requested.filter((_ticker, index) => found[index] === undefined);
  }
}

/** Resolves the values of an instalment; the schedule is projected only when a selected value is unknown. */
@Resolver(() => ScheduleEntry)
export class ScheduleEntryResolver {
  constructor(
    private readonly projections: Projections,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Interest for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  interestValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'interestValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Principal for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  principalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'principalValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal together; null when they are',
  })
  totalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'totalValue');
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its values are projected, and not calculated from a price or paid; false when there are none',
  })
  projected(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'projected');
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Days since it fell due; null while its due business day has not passed, and once it is paid',
  })
  async daysLate(@Ctx() context: Context, @Root() { status, dueDate }: ScheduleEntryShape): Promise<number | null> {
    const day = today(context);
    const isLate = status !== 'PAID' && dueDate <= overdueUntil(day, await this.calendar());
    return isLate ? daysBetween(dueDate, day) : null;
  }

  @FieldResolver(() => String, { description: 'Ticker of its series' })
  async trancheTicker(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<string> {
    return (await seriesOf(context, entry)).ticker;
  }

  @FieldResolver(() => Tranche, { description: 'Its series' })
  async tranche(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<TrancheShape> {
    return toTranche(await seriesOf(context, entry), today(context));
  }

  private amountOf<Field extends keyof ScheduleValues>(
    context: Context,
    entry: ScheduleEntryShape,
    field: Field,
  ): ScheduleValues[Field] | Promise<ScheduleValues[Field]> {
    if (entry.interestValue !== null) return valuesOf(entry, undefined)[field];
    return loaderOf(context, this.projections)
      .load(entry.trancheId)
      .then((projection) => valuesOf(entry, projection.get(entry.installmentNumber))[field]);
  }
}

async function seriesOf(context: Context, { trancheId }: ScheduleEntryShape): Promise<TrancheRow> {
  return requireFound(await loaderOf(context, tranchesById).load(trancheId), 'There is no such series');
}
