import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { connectionPage, numberKey, pageOfList } from '../../../shared/graphql/list-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { connectionArgs, PageSize } from '../../../shared/graphql/page-args.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';
import { findTranche } from '../tranches/tranche.store.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import type { Projections } from './projections.js';
import {
  PaymentSchedule,
  ScheduleEntry,
  toScheduleEntry,
  toScheduleItem,
  type ScheduleEntryShape,
} from './schedule-entry.type.js';
import { lastDueDates, mostInstalments, schedulesOf } from './schedule.store.js';
import { readStamp } from '../revision/revision.js';

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
