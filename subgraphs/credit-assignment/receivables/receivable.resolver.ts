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
      "The caller's contracts with an external id, in whatever batch, the newest first. BAD_REQUEST for arguments out of bounds and cursors that are not ours.",
  })
  async receivables(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { description: "The contract in the originator's system" }) externalId: string,
    @Arg('first', () => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the page before' })
    after: string | null | undefined,
  ): Promise<Named> {
    const wish = { names: { limit: 'first', cursor: 'after' }, limit: first, cursor: after };
    const { rows, hasNext, cursorOf, count } = await readReceivablesNamed(context, this.codec, externalId, wish);
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, rows.map(cursorOf), hasNext), totalCount: await count() };
  }
}
