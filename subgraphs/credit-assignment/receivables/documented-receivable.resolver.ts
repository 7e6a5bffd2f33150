import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { ownCreditBatch } from '../credit-batches/own-credit-batch.js';
import { readScope } from '../originators/seen-originators.js';
import { ReceivableItem, ReceivableList } from './documented-receivable.type.js';
import { ownReceivable } from './own-receivable.js';
import { readReceivables, readReceivablesNamed } from './read-receivables.js';
import { toReceivable } from './receivable.type.js';

@Resolver()
export class DocumentedReceivableResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => ReceivableList, {
    description:
      "The receivables of one of the caller's credit batches. REST: GET /tidc/v1/credit-batches/{id}/receivables. Errors: 400; 404 code 2001.",
  })
  async receivableList(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    limit: number | null | undefined,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the previous page' })
    nextToken: string | null | undefined,
  ): Promise<Shape<ReceivableList>> {
    const batch = await ownCreditBatch(context, id);
    const names = { limit: 'limit', cursor: 'nextToken' };
    const page = await readReceivables(context, this.codec, batch.id, { names, limit, cursor: nextToken });
    const last = page.hasNext ? page.rows.at(-1) : undefined;
    return {
      items: page.rows.map((row) => toReceivable(row, context.principal)),
      count: batch.receivableCount,
      nextToken: last === undefined ? null : page.cursorOf(last),
    };
  }

  @Access('originator', readScope)
  @Query(() => ReceivableList, {
    description:
      "The caller's contracts with an external id in any batch, newest first. REST: GET /tidc/v1/receivables. Errors: 400.",
  })
  async receivableLookup(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { description: "Identifier of the contract in the originator's system" })
    externalId: string,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    limit: number | null | undefined,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the previous page' })
    nextToken: string | null | undefined,
  ): Promise<Shape<ReceivableList>> {
    const names = { limit: 'limit', cursor: 'nextToken' };
    const page = await readReceivablesNamed(context, this.codec, externalId, { names, limit, cursor: nextToken });
    const last = page.hasNext ? page.rows.at(-1) : undefined;
    return {
      items: page.rows.map((row) => toReceivable(row, context.principal)),
      count: await page.count(),
      nextToken: last === undefined ? null : page.cursorOf(last),
    };
  }

  @Access('originator', readScope)
  @Query(() => ReceivableItem, {
    description:
      "A receivable of one of the caller's credit batches. REST: GET /tidc/v1/receivables/{id}. Errors: 404.",
  })
  async receivableDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
  ): Promise<Shape<ReceivableItem>> {
    return toReceivable(await ownReceivable(context, id), context.principal);
  }
}
