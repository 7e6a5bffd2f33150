import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { PageSize } from '../../../shared/graphql/page-args.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import { PeriodArgs, periodConnection, partPage } from '../operations/period.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { communicationsOf } from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { Communication } from './communication.type.js';

const CommunicationConnection = connectionType(Communication, {
  name: 'Communication',
  nodes: 'communications',
  order: 'newest first',
});

@Resolver(() => Operation)
export class CommunicationResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => CommunicationConnection, {
    description:
      'Notices and material facts in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async communications(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<Connection<Shape<Communication>>> {
    return periodConnection(this.codec, await loaderOf(context, communicationsOf).load(id), period, {
      scope: ['communications', id],
      keys: [{ of: ({ date }) => date, descending: true }, { of: (communication) => communication.id }],
      dayOf: ({ date }) => date,
    });
  }
}
