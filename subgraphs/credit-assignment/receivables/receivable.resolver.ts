import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import { byCursor } from '../batches/read-lines.js';
import { CursorPageArgs } from '../batches/page-args.type.js';
import { readScope } from '../originators/visible-originators.js';
import { readReceivablesNamed } from './read-receivables.js';
import { ReceivableConnection, toReceivable, type ReceivableShape } from './receivable.type.js';

type Named = Connection<ReceivableShape> & { readonly totalCount: number };

@Resolver()
export class ReceivableLookupResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => ReceivableConnection, {
    description:
      "The caller's contracts with an external id in any batch, newest first. BAD_REQUEST for arguments that are out of bounds and for an invalid cursor.",
  })
  async receivables(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { description: "Identifier of the contract in the originator's system" })
    externalId: string,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Named> {
    const page = await readReceivablesNamed(context, this.codec, externalId, byCursor(wanted));
    const { rows, hasNext, cursorOf, count } = page;
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, rows.map(cursorOf), hasNext), totalCount: await count() };
  }
}
