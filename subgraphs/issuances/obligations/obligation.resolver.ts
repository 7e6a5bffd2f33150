import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { PageSize } from '../../../shared/graphql/page-args.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import { PeriodArgs, periodConnection, partPage } from '../operations/period.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { obligationsOf } from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { obligationStatus, type ObligationStatus } from './obligation.js';
import { Obligation, ObligationStatusEnum } from './obligation.type.js';

const ObligationConnection = connectionType(Obligation, {
  name: 'Obligation',
  nodes: 'obligations',
  order: 'by due date',
});

@Resolver(() => Operation)
export class ObligationResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => ObligationConnection, {
    description:
      'Obligations that fall due in a period, by due date. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async obligations(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
    @Arg('status', () => ObligationStatusEnum, { nullable: true, description: 'Only items with this status' })
    status: ObligationStatus | null | undefined,
  ): Promise<Connection<Shape<Obligation>>> {
    const today = civilDate(context.clock.now());
    const rows = await loaderOf(context, obligationsOf).load(id);
    const obligations = rows.map((row) => ({ ...row, status: obligationStatus(row, today) }));
    const wanted = status == null ? obligations : obligations.filter((obligation) => obligation.status === status);
    return periodConnection(this.codec, wanted, period, {
      scope: ['obligations', id, status ?? null],
      keys: [{ of: ({ dueDate }) => dueDate }, { of: (obligation) => obligation.id }],
      dayOf: ({ dueDate }) => dueDate,
    });
  }
}
