import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { PageSize } from '../../../shared/graphql/page-args.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import { PeriodArgs, periodConnection, partPage } from '../operations/period.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { assembliesOf } from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { Assembly } from './assembly.type.js';

const AssemblyConnection = connectionType(Assembly, {
  name: 'Assembly',
  nodes: 'meetings',
  order: 'newest first',
});

@Resolver(() => Operation)
export class AssemblyResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => AssemblyConnection, {
    description:
      'Meetings of the holders in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async assemblies(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<Connection<Shape<Assembly>>> {
    return periodConnection(this.codec, await loaderOf(context, assembliesOf).load(id), period, {
      scope: ['assemblies', id],
      keys: [{ of: ({ date }) => date, descending: true }, { of: (assembly) => assembly.id }],
      dayOf: ({ date }) => date,
    });
  }
}
