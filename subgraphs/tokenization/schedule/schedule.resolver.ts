import { Arg, Args, ArgsType, Ctx, FieldResolver, Query, Resolver, Root, Int, Directive, Mutation } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound, refuse } from '../../../shared/kernel/errors.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { connectionPage, numberKey, pageOfList, openPage } from '../../../shared/graphql/list-page.js';
import { connectionType, PageSize, ofPage } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { filterTickers } from '../../securities/tickers.js';
import { overdueUntil, paymentWindow } from '../../securities/payments.js';
import { findTranche, tranchesById, type TrancheRow, tranchesByTicker } from '../tranches/tranche.store.js';
import { Tranche, type TrancheShape, toTranche } from '../tranches/tranche.type.js';
import type { Projections } from './projections.js';
import {
  PaymentSchedule,
  LateChargesType,
  ScheduleEntry,
  ScheduleEntryStatusEnum,
  SchedulePayment,
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
import { addUpUpcomingPayments, generateSchedule, recordPayment, requireEntryNumber } from './schedule.acts.js';
import type { UpcomingQuery } from './upcoming-payments.js';
import { countUpcomingPayments, listUpcomingPayments, recordedPayments } from './schedule-writes.store.js';
import { paymentsOf, shownStatus, type LateCharges, type Payment } from './payment.js';
import type { LoadDifferences } from './price-differences.js';
import type { LoadLateCharges } from './late-charges.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { reversePayment } from './reverse-payment.js';
import { args, day, nullable, text } from '../../../shared/graphql/fields.js';

const schedulePage = { usual: 200, most: mostInstalments } as const;

@ArgsType()
class ScheduleArgs extends args({
  ...ofPage(schedulePage),
  status: nullable.of(() => ScheduleEntryStatusEnum, 'Only instalments with this status'),
  from: nullable.day('First due date; no lower bound when omitted'),
  to: nullable.day('Last due date; no upper bound when omitted'),
}) {}

const ScheduleEntryConnection = connectionType(ScheduleEntry, {
  name: 'ScheduleEntry',
  nodes: 'instalments',
  order: 'sorted by day',
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
      'Its instalments and what events pay, sorted by day. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async schedule(
    @Ctx() context: Context,
    @Root() { id }: TrancheShape,
    @Args(() => ScheduleArgs) { status, from, to, ...wanted }: ScheduleArgs,
  ): Promise<Connection<ScheduleEntryShape>> {
    requirePeriod(from, to);
    const rows = (await loaderOf(context, schedulesOf).load(id))
      .filter(({ dueDate }) => (from == null || dueDate >= from) && (to == null || dueDate <= to))
      .filter((row) => status == null || shownStatus(row) === status);
    const page = pageOfList(this.codec, rows, connectionPage(wanted), {
      ...schedulePage,
      scope: JSON.stringify(['schedule', id, status ?? null, from ?? null, to ?? null]),
      keys: [
        { of: ({ calculationDate }) => calculationDate },
        { of: ({ installmentNumber }) => numberKey(2 ** 31 - installmentNumber) },
      ],
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
class PaymentArgs extends args({
  ticker: text('Ticker of the series, in any case'),
  installmentNumber: nullable.int('Number of the instalment; in its place `event`'),
  event: nullable.text('Number of an event of the series, such as `E1`'),
  paidOn: day('Day of the payment'),
  amount: nullable.decimal(
    'All that was paid, with `expenses`, `lateCharges` and `premium`; the rest is imputed to the open interest first, then to the principal, and must not exceed them. When it and the values are omitted, what is open is paid',
  ),
  interestValue: nullable.decimal(
    'Paid interest, in place of `amount`. Of an instalment without a price, it and the principal are taken as what was due',
  ),
  principalValue: nullable.decimal('Paid principal; given together with the interest'),
  expenses: nullable.decimal('Expenses that were paid, beyond the instalment'),
  lateCharges: nullable.decimal(
    'Late charges that were paid, beyond the instalment: at most what its `lateCharges` are on the day, where the series has terms for them; imputed to the fine first, then to mora and remuneration',
  ),
  premium: nullable.decimal('Premium that was paid, beyond the instalment'),
  reference: nullable.text(
    'Reference of the payment, such as that of the bank: 1 to 100 letters, digits and . _ : / -, unique in the series. It tells payments of the same day and amount apart',
    { maxLength: 100 },
  ),
}) {}

@ArgsType()
class ReversalArgs extends args({
  ticker: text('Ticker of the series, in any case'),
  reason: text('Reason, 1 to 500 characters on one line; it is published with the correction'),
  installmentNumber: nullable.int('Number of the instalment; in its place `event`'),
  event: nullable.text('Number of an event of the series, such as `E1`'),
  paymentId: nullable.id('Id of the payment; the last one that stands when omitted'),
}) {}

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
      'Records a payment of an instalment to the holders of a series: of all that is open, or of a part. Once it is paid in full, `payment.completed` is announced. A payment with the same reference, or without one of the same day and amounts, is the same payment: repeating the call returns the same result. Errors: 404 for an instalment that does not exist; 409 for one that is paid or of unknown value, a reference of another payment, and a series without open obligations; 422 for an impossible payment, and for more than is open, unless the surplus is named.',
  })
  async recordPayment(
    @Ctx() context: Context,
    @Args(() => PaymentArgs) { ticker, installmentNumber, event, ...payment }: PaymentArgs,
  ): Promise<ScheduleEntryShape> {
    const number = requireEntryNumber({ installmentNumber, event });
    return toScheduleEntry(await recordPayment(context, ticker, number, toPayment(payment)));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => ScheduleEntry, {
    description:
      'Reverses a payment of an instalment, recorded by an operator or brought by an import: what it paid is owed again, by the price of its day where nothing is paid any more, and the payment remains in the history with the reason. Errors: 400 for an empty reason; 404 for an instalment or payment that does not exist; 409 for one that is not paid, pays nothing or was reversed, or of a CLOSED series.',
  })
  async reversePayment(
    @Ctx() context: Context,
    @Args(() => ReversalArgs) { installmentNumber, event, paymentId, ...reversed }: ReversalArgs,
  ): Promise<ScheduleEntryShape> {
    const number = requireEntryNumber({ installmentNumber, event });
    const reversal = { ...reversed, installmentNumber: number, paymentId: paymentId ?? undefined };
    return toScheduleEntry(await reversePayment(context, reversal));
  }
}

/** @throws {ApiError} BAD_REQUEST for one value without the other */
function toPayment({ paidOn, interestValue, principalValue, ...given }: GivenPayment): Payment {
  if ((interestValue == null) !== (principalValue == null)) {
    const path = interestValue == null ? 'interestValue' : 'principalValue';
    refuse('BAD_REQUEST', [{ path, message: 'must be given together with the other value' }]);
  }
  return {
    paidOn,
    amount: given.amount ?? undefined,
    values: interestValue == null || principalValue == null ? undefined : { interestValue, principalValue },
    expenses: given.expenses ?? undefined,
    lateCharges: given.lateCharges ?? undefined,
    premium: given.premium ?? undefined,
    reference: given.reference == null ? undefined : identifyingText(given.reference),
  };
}

type GivenPayment = Omit<PaymentArgs, 'ticker' | 'installmentNumber' | 'event'>;

interface Listing extends Connection<ScheduleEntryShape> {
  readonly query: UpcomingQuery;
  /** Tickers as the caller wrote them. */
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
      String(-row.installmentNumber),
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
    private readonly loadLateCharges: LoadLateCharges,
    private readonly loadDifferences: LoadDifferences,
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
    description: `Premium of an event for all units; ${projectedInWords}; null when it cannot be projected, and of an instalment`,
  })
  premiumValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'premiumValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal together, and the premium of an event; null when they are',
  })
  totalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'totalValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'What is not paid of `totalValue`; 0.00 once it is PAID, null when `totalValue` is',
  })
  openValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'openValue');
  }

  @Directive('@cost(weight: 5)')
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      'What the newest price of its day pays beyond `totalValue`, which stays once something is paid: after a correction of prices, or where the deed settles projections by difference. 0.00 without one, negative for less; null while it has no price',
  })
  difference(@Ctx() context: Context, @Root() { row }: ScheduleEntryShape): Promise<string | null> {
    return loaderOf(context, this.loadDifferences).load(row);
  }

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 5)')
  @FieldResolver(() => [SchedulePayment], {
    description:
      'Its payments, for operators, in the order of their records, at most 200; reversed ones remain, with the reason',
  })
  async payments(@Ctx() context: Context, @Root() { row }: ScheduleEntryShape): Promise<Shape<SchedulePayment>[]> {
    return [...paymentsOf(row, await loaderOf(context, recordedPayments).load(row))];
  }

  @Directive('@cost(weight: 10)')
  @FieldResolver(() => LateChargesType, {
    nullable: true,
    description:
      'Its late charges on a day; null for a day that is not after its due day (if that is no business day, the next one), and while its amount is not known. Errors: 400 for a day beyond the table of holidays.',
  })
  lateCharges(
    @Ctx() context: Context,
    @Root() { row: instalment }: ScheduleEntryShape,
    @Arg('on', () => DateScalar, { description: 'Day until which they are counted, such as that of the payment' })
    on: string,
  ): Promise<LateCharges | null> {
    return loaderOf(context, this.loadLateCharges).load({ instalment, on });
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
    const { row } = entry;
    if (row.interestValue !== null) return valuesOf(row, undefined)[field];
    return loaderOf(context, this.projections)
      .load(row.trancheId)
      .then((projection) => valuesOf(row, projection.get(row.installmentNumber))[field]);
  }
}

async function seriesOf(context: Context, { row }: ScheduleEntryShape): Promise<TrancheRow> {
  return requireFound(await loaderOf(context, tranchesById).load(row.trancheId), 'There is no such series');
}
