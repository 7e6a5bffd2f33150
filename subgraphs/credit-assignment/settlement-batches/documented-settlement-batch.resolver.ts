import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { BatchStatusEnum } from '../credit-batches/credit-batch.enum.js';
import type { BatchStatus } from '../credit-batches/credit-batch-transitions.js';
import { readScope } from '../originators/seen-originators.js';
import { maxSettlements } from './check-settlements.js';
import {
  SettlementBatchDetail,
  SettlementBatchError,
  SettlementBatchPage,
  SettlementBatchPayment,
  toSettlementBatchItem,
} from './documented-settlement-batch.type.js';
import { readSettlementBatchPage, seenSettlementBatch } from './read-settlement-batches.js';
import { paymentsAt } from './payment.store.js';
import { maxErrors } from './process-settlement-batch.js';
import { settlementErrorsOf } from './settlement-batch-list.store.js';
import { toSettlement } from './settlement-batch.type.js';

@ArgsType()
class SettlementBatchListArgs {
  @Field(() => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Batches per page, from 1 to 100; default 20' })
  limit?: number | null;

  @Field(() => BatchStatusEnum, { nullable: true, description: 'Only batches with this status' })
  status?: BatchStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the credit batch with this id' })
  creditBatchId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only batches for the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or later, in São Paulo' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only batches created on this day or earlier, in São Paulo' })
  to?: string | null;
}

/** Names every argument, given or not. */
function wishOf({ page, limit, status, creditBatchId, patrimonyId, from, to }: SettlementBatchListArgs) {
  return { page, limit, status, creditBatchId, patrimonyId, from, to };
}

@Resolver(() => SettlementBatchDetail)
export class DocumentedSettlementBatchResolver {
  @Access('originator', readScope)
  @Query(() => SettlementBatchPage, {
    description:
      "The caller's settlement batches, newest first. REST: GET /tidc/v1/settlement-batches. BAD_REQUEST for arguments that are out of bounds.",
  })
  async settlementBatchList(
    @Ctx() context: Context,
    @Args(() => SettlementBatchListArgs) args: SettlementBatchListArgs,
  ): Promise<Shape<SettlementBatchPage>> {
    const { rows, ...read } = await readSettlementBatchPage(context, wishOf(args));
    return { ...read, data: rows.map(toSettlementBatchItem), totalPages: Math.ceil(read.total / read.limit) };
  }

  @Access('originator', readScope)
  @Query(() => SettlementBatchDetail, {
    description:
      'A settlement batch with its payments. REST: GET /tidc/v1/settlement-batches/{id}. Errors: 404 code 3001.',
  })
  async settlementBatchDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the settlement batch (UUID).' }) id: string,
  ): Promise<Shape<SettlementBatchDetail>> {
    return toSettlementBatchItem(await seenSettlementBatch(context, id));
  }

  // The counts are arguments so that the cost of a document reflects how many are requested; REST returns them all.
  @FieldResolver(() => [SettlementBatchError], {
    description: 'Errors of its payments, when the batch was rejected; at most 1,000',
  })
  errors(
    @Ctx() context: Context,
    @Root() { id }: SettlementBatchDetail,
    @Arg('first', () => Int, { defaultValue: maxErrors, description: 'Maximum number of items, from 1 to 1,000' })
    first: number,
  ): Promise<Shape<SettlementBatchError[]>> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxErrors });
    return loaderOf(context, settlementErrorsOf).load({ batchId: id, first });
  }

  @FieldResolver(() => [SettlementBatchPayment], {
    description: 'Its payments, in the order in which they were submitted',
  })
  async settlements(
    @Ctx() context: Context,
    @Root() { id }: SettlementBatchDetail,
    @Arg('first', () => Int, { defaultValue: maxSettlements, description: 'Maximum number of items, from 1 to 50,000' })
    first: number,
  ): Promise<Shape<SettlementBatchPayment[]>> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxSettlements });
    return (await loaderOf(context, paymentsAt).load({ batchId: id, after: -1, limit: first })).map(toSettlement);
  }
}
