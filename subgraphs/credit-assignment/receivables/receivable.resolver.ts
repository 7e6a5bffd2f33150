import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { connectionPage, documentedNames, type ListPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs, TokenPageArgs } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readLines } from '../batches/read-lines.js';
import { requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { readScope, visibleOriginators } from '../originators/visible-originators.js';
import { readReceivables, readReceivablesNamed, totalReceivables } from './read-receivables.js';
import { findReceivable, receivablesAt, type ReceivableRow } from './receivable.store.js';
import {
  queryOf,
  ReceivableFilter,
  ReceivableTotals,
  Receivable,
  ReceivableConnection,
  ReceivableList,
  toReceivable,
  type ReceivableShape,
} from './receivable.type.js';

const externalIdText = "Only contracts with this identifier in the originator's system";

@Resolver()
export class ReceivableResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => Receivable, {
    nullable: true,
    description:
      "A receivable of one of the caller's credit batches; null when it does not exist. REST: GET /tidc/v1/receivables/{id}.",
  })
  async receivable(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the receivable (UUID)' }) id: string,
  ): Promise<ReceivableShape | null> {
    const row = isUuid(id) ? await findReceivable(context, await visibleOriginators(context), id) : undefined;
    return row === undefined ? null : toReceivable(row, context.principal);
  }

  @Access('originator', readScope)
  @Query(() => ReceivableConnection, {
    description:
      "The caller's contracts in all batches: those with an external id alone newest first, all others by batch, the newest one first, and in the order of the batch. Errors: 400 for arguments that are out of bounds, for an invalid cursor, and for a filter that cannot be.",
  })
  async receivables(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { nullable: true, description: externalIdText })
    externalId: string | null | undefined,
    @Arg('filter', () => ReceivableFilter, { nullable: true, description: 'Restricts the list' })
    filter: ReceivableFilter | null | undefined,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<ReceivableShape>> {
    const query = queryOf(externalId, filter);
    const input = connectionPage(wanted);
    const page =
      externalId != null && filter == null
        ? await readReceivablesNamed(context, this.codec, requireVisible('externalId', externalId), input)
        : await readReceivables(context, this.codec, query, input);
    return toConnection(page, (row) => toReceivable(row, context.principal), page.count);
  }

  @Access('originator', readScope)
  @Query(() => ReceivableTotals, {
    description:
      "Number and amounts of the caller's contracts in all batches, with the arguments of `receivables`. Errors: 400 for a filter that cannot be.",
  })
  async receivableTotals(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { nullable: true, description: externalIdText })
    externalId: string | null | undefined,
    @Arg('filter', () => ReceivableFilter, { nullable: true, description: 'Restricts what is summed up' })
    filter: ReceivableFilter | null | undefined,
  ): Promise<Readonly<ReceivableTotals>> {
    return totalReceivables(context, queryOf(externalId, filter));
  }

  @Access('originator', readScope)
  @Query(() => ReceivableList, {
    description:
      "The caller's contracts with an external id in any batch, newest first. REST: GET /tidc/v1/receivables. Errors: 400 for arguments that are out of bounds and for an invalid page token.",
  })
  async receivableLookup(
    @Ctx() context: Context,
    @Arg('externalId', () => String, { description: "Identifier of the contract in the originator's system" })
    externalId: string,
    @Args(() => TokenPageArgs) { limit, nextToken }: TokenPageArgs,
  ): Promise<Shape<ReceivableList>> {
    const wanted = { names: documentedNames, limit, cursor: nextToken };
    const page = await readReceivablesNamed(context, this.codec, requireVisible('externalId', externalId), wanted);
    return toList(context, page, await page.count());
  }

  @Access('originator', readScope)
  @Query(() => ReceivableList, {
    description:
      "The receivables of one of the caller's credit batches. REST: GET /tidc/v1/credit-batches/{id}/receivables. Errors: 400 for arguments that are out of bounds and for an invalid page token; 404 code 2001.",
  })
  async receivableList(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
    @Args(() => TokenPageArgs) { limit, nextToken }: TokenPageArgs,
  ): Promise<Shape<ReceivableList>> {
    const batch = await requireBatch(context, creditBatches, id);
    const wanted = { names: documentedNames, limit, cursor: nextToken };
    const page = await readLines(context, this.codec, receivablesAt, batch.id, wanted, 100);
    return toList(context, page, batch.lineCount);
  }
}

function toList({ principal }: Context, page: ListPage<ReceivableRow>, count: number): Shape<ReceivableList> {
  const items = page.rows.map((row) => toReceivable(row, principal));
  return { items, count, nextToken: page.nextToken };
}
