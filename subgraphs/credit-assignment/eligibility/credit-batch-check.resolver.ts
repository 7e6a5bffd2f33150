import { Arg, Ctx, ID, Query, Resolver, Directive, Field, Int, ObjectType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readScope } from '../originators/visible-originators.js';
import { dryRun } from './dry-run.js';
import { BatchStatusEnum, RejectionRule } from '../batches/batch.type.js';
import type { BatchStatus } from '../batches/transitions.js';
import type { BatchErrorRow } from '../batches/batch.store.js';
import { CreditBatchError } from '../credit-batches/credit-batch.graph.js';

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
class CreditBatchCheck {
  @Field(() => ID, { description: 'Id of the batch (UUID)' })
  id!: string;

  @Field(() => BatchStatusEnum, { description: 'Status of the batch: DRAFT or SUBMITTED' })
  status!: BatchStatus;

  @Field(() => Boolean, {
    description: 'Whether the batch would be accepted: by ELIGIBLE_ONLY, its contracts without errors',
  })
  eligible!: boolean;

  @Field(() => Int, {
    description:
      'Number of contracts with errors: by ELIGIBLE_ONLY they are refused, by ALL_OR_NOTHING they reject the whole batch',
  })
  refusedCount!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for which the batch would be rejected; null when it would be accepted',
  })
  rejectionReason!: string | null;

  @Field(() => [RejectionRule], {
    nullable: true,
    description:
      'The rules of which `rejectionReason` is made, for texts in other languages; null when the batch would be accepted',
  })
  rejectionRules!: readonly RejectionRule[] | null;

  @Field(() => Int, { description: 'Number of errors of single contracts' })
  errorCount!: number;

  @Directive('@listSize(assumedSize: 1000)')
  @Field(() => [CreditBatchError], { description: 'Errors of single contracts, at most 1,000' })
  errors!: readonly BatchErrorRow[];
}
