import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import { readScope } from '../originators/seen-originators.js';
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
    @Arg('first', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the previous page' })
    after: string | null | undefined,
  ): Promise<Named> {
    const wish = { names: { limit: 'first', cursor: 'after' }, limit: first, cursor: after };
    const { rows, hasNext, cursorOf, count } = await readReceivablesNamed(context, this.codec, externalId, wish);
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, rows.map(cursorOf), hasNext), totalCount: await count() };
  }
}
