import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { readScope, visibleOriginators } from '../originators/visible-originators.js';
import { reverseLateCharges } from './late-charges.acts.js';
import { readReceivables, readReceivablesNamed, totalReceivables } from './read-receivables.js';
import { findReceivable } from './receivable.store.js';
import {
  queryOf,
  ReceivableFilter,
  ReceivableTotals,
  Receivable,
  ReceivableConnection,
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
      "The caller's contracts in all batches: those with an external id alone newest first, all others by batch, the newest one first, and in the order of the batch. REST: GET /tidc/v1/receivables. Errors: 400 for arguments that are out of bounds, for an invalid cursor, and for a filter that cannot be.",
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
}

@Resolver()
export class LateChargesResolver {
  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => DecimalScalar, {
    description:
      'Reverses the late charges that a settlement batch brought for a receivable without anything of its balance (`settledAmount` 0 with `surplus`), and returns their sum in BRL with 2 decimals: they are received no more, and are marked `reversed` in the batch, whose originator is informed. Late charges beside an amount are reversed with it (`reverseAssetPayment`). Errors: 400 for an empty reason; 409 where the batch brought none, where they are reversed already, and while they are on their way to the asset.',
  })
  reverseLateCharges(
    @Ctx() context: Context,
    @Arg('receivableId', () => ID, { description: 'Id of the receivable, which is that of its asset' })
    receivableId: string,
    @Arg('settlementBatchId', () => ID, { description: 'Id of the settlement batch' }) settlementBatchId: string,
    @Arg('reason', () => String, { description: 'Why, 1 to 500 characters on one line' }) reason: string,
  ): Promise<string> {
    return reverseLateCharges(context, receivableId, settlementBatchId, reason);
  }
}
