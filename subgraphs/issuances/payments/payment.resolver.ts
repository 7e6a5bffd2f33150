import { Args, Ctx, FieldResolver, Query, Resolver, Root, Arg } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, loaderOf, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, openPage, numberKey } from '../../../shared/graphql/list-page.js';
import { overdueUntil, paymentWindow, type PaymentStatus, PaymentStatusEnum } from '../../securities/payments.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { namedOperations } from '../operations/named-operations.js';
import { addUpPayments, addUpPaymentsByOperation, listPayments, type PaymentQuery } from './operation-payment.store.js';
import {
  OperationPaymentArgs,
  OperationPaymentConnection,
  PaymentsOfOperation,
  PaymentSums,
  type OperationPayment,
  Payment,
} from './operation-payment.type.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { connectionType, PageSize } from '../../../shared/graphql/connection-type.js';
import { PeriodArgs, periodConnection, partPage } from '../operations/period.js';
import { paymentsOf } from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { seriesOf } from '../series/series.store.js';
import { amountsOf, openOf, paymentStatus } from './payment.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';

const PaymentConnection = connectionType(Payment, { name: 'Payment', nodes: 'payments', order: 'by due date' });

@Resolver(() => Operation)
export class PaymentResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => PaymentConnection, {
    description:
      'Payments that fall due in a period, by due date. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async payments(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
    @Arg('status', () => PaymentStatusEnum, { nullable: true, description: 'Only items with this status' })
    status: PaymentStatus | null | undefined,
  ): Promise<Connection<Shape<Payment>>> {
    const [rows, series, calendar] = await Promise.all([
      loaderOf(context, paymentsOf).load(id),
      loaderOf(context, seriesOf).load(id),
      this.calendar(),
    ]);
    const today = civilDate(context.clock.now());
    const tickers = new Map(series.map((one) => [one.id, one.ticker]));
    const payments = rows.map((row) => {
      const own = paymentStatus(row, today, calendar);
      const seriesTicker = row.seriesId === null ? null : (tickers.get(row.seriesId) ?? null);
      const amounts = amountsOf(row);
      return { ...row, ...amounts, seriesTicker, status: own, openValue: openOf({ ...row, ...amounts }, own) };
    });
    const wanted = status == null ? payments : payments.filter((payment) => payment.status === status);
    return periodConnection(this.codec, wanted, period, {
      scope: ['payments', id, status ?? null],
      keys: [
        { of: ({ dueDate }) => dueDate },
        { of: ({ installmentNumber }) => numberKey(installmentNumber) },
        { of: (payment) => payment.id },
      ],
      dayOf: ({ dueDate }) => dueDate,
    });
  }
}

/** A page with what its sums are computed from when they are selected. */
interface Listing extends Connection<Shape<OperationPayment>> {
  readonly query: PaymentQuery;
  readonly unknown: readonly string[];
}

/** Maximum number of operations whose sums are listed, and that a caller may name. */
const mostOperations = 100;

@Resolver(() => OperationPaymentConnection)
export class OperationPaymentResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @Access('data')
  @AsOf()
  @Query(() => OperationPaymentConnection, {
    description:
      'Payments of public operations to their holders in a period, in pages, earliest due date first; by default those of the next 90 days. Errors: 400 for a period that ends before it begins, for arguments that are out of bounds and for an invalid cursor.',
  })
  async operationPayments(
    @Ctx() context: Context,
    @Args(() => OperationPaymentArgs) { tickers, from, to, status, ...wanted }: OperationPaymentArgs,
  ): Promise<Listing> {
    requirePeriod(from, to);
    const day = today(context);
    const window = paymentWindow({ from, to, status }, day);
    const named =
      tickers == null || tickers.length === 0 ? undefined : await namedOperations(context, tickers, mostOperations);
    const operationIds = named?.operations.map(({ id }) => id).sort() ?? null;
    const query = { ...window, operationIds, today: day, overdueUntil: overdueUntil(day, await this.calendar()) };
    const scope = JSON.stringify([operationIds, from ?? null, to ?? null, window.status]);
    const page = openPage(this.codec, connectionPage(wanted), { scope });
    const found = page.take(await listPayments(context, query, page), (row) => [row.dueDate, row.id]);
    const connection = toConnection(
      found,
      (row) => ({ ...row, daysLate: daysLate(row.status, row.dueDate, day) }),
      async () => (await addUpPayments(context, query)).count,
    );
    return Object.assign(connection, { query, unknown: named?.unknownTickers ?? [] });
  }

  @FieldResolver(() => PaymentSums, { description: 'Sums over the payments on all pages' })
  totals(@Ctx() context: Context, @Root() { query }: Listing): Promise<PaymentSums> {
    return addUpPayments(context, query);
  }

  @FieldResolver(() => [PaymentsOfOperation], {
    description: 'Sums for each operation over the payments on all pages: the 100 operations with the largest totals.',
  })
  byOperation(@Ctx() context: Context, @Root() { query }: Listing): Promise<PaymentsOfOperation[]> {
    return addUpPaymentsByOperation(context, query, mostOperations);
  }

  @FieldResolver(() => [String], { description: 'Those of the requested tickers that no public operation has' })
  unknownTickers(@Root() { unknown }: Listing): readonly string[] {
    return unknown;
  }
}

function daysLate(status: PaymentStatus, dueDate: string, today: string): number | null {
  return status === 'OVERDUE' ? daysBetween(dueDate, today) : null;
}
