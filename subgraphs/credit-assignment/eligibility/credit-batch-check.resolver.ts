import { Arg, Ctx, ID, Query, Resolver, ObjectType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readScope } from '../originators/visible-originators.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { previewEligibility } from './check-eligibility.js';
import { contractsOfBatch } from './checked-contracts.js';
import { BatchStatusEnum, RejectionRule } from '../batches/batch.type.js';
import type { BatchErrorRow } from '../batches/batch.store.js';
import { CreditBatchError } from '../credit-batches/credit-batch.graph.js';
import { fields, flag, id, int, list, nullable, of } from '../../../shared/graphql/fields.js';

/** Writes nothing; the verdict is undefined when nothing is wrong with the batch. @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS for a batch that is past SUBMITTED */
export async function dryRun(context: Context, id: string) {
  const batch = await requireBatch(context, creditBatches, id);
  if (batch.status !== 'DRAFT' && batch.status !== 'SUBMITTED')
    throw new ApiError('BATCH_STATUS', {
      message: `A batch that is ${batch.status} cannot be checked: only a batch in DRAFT or SUBMITTED can`,
    });
  return { batch, verdict: await previewEligibility(context, contractsOfBatch(context, batch)) };
}

@Resolver()
export class CreditBatchCheckResolver {
  @Access('originator', readScope)
  @Query(() => CreditBatchCheck, {
    description:
      'Checks a credit batch in DRAFT or SUBMITTED as its processing would, including the eligibility criteria of its estate, without changing it. REST: GET /tidc/v1/credit-batches/{id}/check. Errors: 404 code 2001; 409 code 2002 for a batch in any other status.',
  })
  async creditBatchCheck(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
  ): Promise<Shape<CreditBatchCheck>> {
    const { batch, verdict } = await dryRun(context, id);
    const isRejected = verdict?.isRejected === true;
    return {
      id: batch.id,
      status: batch.status,
      eligible: !isRejected,
      refusedCount: verdict?.refusedCount ?? 0,
      rejectionReason: isRejected ? verdict.reason : null,
      rejectionRules: isRejected ? verdict.rules : null,
      errorCount: verdict?.errorCount ?? 0,
      errors: verdict?.errors ?? [],
    };
  }
}

@ObjectType({
  simpleResolvers: true,
  description: 'The result that processing a credit batch would have now. Nothing is written.',
})
class CreditBatchCheck extends fields({
  id: id('Id of the batch (UUID)'),
  status: of(() => BatchStatusEnum, 'Status of the batch: DRAFT or SUBMITTED'),
  eligible: flag('Whether the batch would be accepted: by ELIGIBLE_ONLY, its contracts without errors'),
  refusedCount: int(
    'Number of contracts with errors: by ELIGIBLE_ONLY they are refused, by ALL_OR_NOTHING they reject the whole batch',
  ),
  rejectionReason: nullable.text('Reason for which the batch would be rejected; null when it would be accepted'),
  rejectionRules: nullable.list(
    () => RejectionRule,
    'The rules of which `rejectionReason` is made, for texts in other languages; null when the batch would be accepted',
  ),
  errorCount: int('Number of errors of single contracts'),
  errors: list<BatchErrorRow>(() => CreditBatchError, 'Errors of single contracts, at most 1,000', {
    assumedSize: 1000,
  }),
}) {}
