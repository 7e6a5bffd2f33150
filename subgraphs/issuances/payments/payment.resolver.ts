import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { PageSize } from '../../../shared/graphql/page-args.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { numberKey } from '../../../shared/graphql/list-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import { PeriodArgs, periodConnection, partPage } from '../operations/period.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';
import { paymentsOf } from '../operations/operation-parts.store.js';
import { Operation } from '../operations/operation.type.js';
import { seriesOf } from '../series/series.store.js';
import { paymentStatus } from './payment.js';
import { Payment } from './operation-payment.type.js';

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
    const payments = rows.map((row) => ({
      ...row,
      seriesTicker: row.seriesId === null ? null : (tickers.get(row.seriesId) ?? null),
      status: paymentStatus(row, today, calendar),
    }));
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
