import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { byToken, readLines, type LinePage } from '../batches/read-lines.js';
import { requireBatch } from '../batches/require-batch.js';
import { TokenPageArgs } from '../batches/page-args.type.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { readScope } from '../originators/visible-originators.js';
import { ReceivableItem, ReceivableList } from './documented-receivable.type.js';
import { readReceivablesNamed } from './read-receivables.js';
import { receivablesAt, type ReceivableRow } from './receivable.store.js';
import { toReceivable } from './receivable.type.js';
import { requireReceivable } from './require-receivable.js';

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
    @Args(() => TokenPageArgs) wanted: TokenPageArgs,
  ): Promise<Shape<ReceivableList>> {
    const batch = await requireBatch(context, creditBatches, id);
    const page = await readLines(context, this.codec, receivablesAt, batch.id, byToken(wanted));
    return toList(context, page, batch.lineCount);
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
    @Args(() => TokenPageArgs) wanted: TokenPageArgs,
  ): Promise<Shape<ReceivableList>> {
    const page = await readReceivablesNamed(context, this.codec, externalId, byToken(wanted));
    return toList(context, page, await page.count());
  }

  @Access('originator', readScope)
  @Query(() => ReceivableItem, {
    description:
      "A receivable of one of the caller's credit batches. REST: GET /tidc/v1/receivables/{id}. Errors: 404.",
  })
  async receivableDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the receivable (UUID)' }) id: string,
  ): Promise<Shape<ReceivableItem>> {
    return toReceivable(await requireReceivable(context, id), context.principal);
  }
}

function toList({ principal }: Context, page: LinePage<ReceivableRow>, count: number): Shape<ReceivableList> {
  const last = page.hasNext ? page.rows.at(-1) : undefined;
  return {
    items: page.rows.map((row) => toReceivable(row, principal)),
    count,
    nextToken: last === undefined ? null : page.cursorOf(last),
  };
}
