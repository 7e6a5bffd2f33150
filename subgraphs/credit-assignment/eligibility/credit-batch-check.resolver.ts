import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readScope } from '../originators/visible-originators.js';
import { CreditBatchCheck } from './credit-batch-check.type.js';
import { dryRun } from './dry-run.js';

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
    const { batch, rejection } = await dryRun(context, id);
    return {
      id: batch.id,
      status: batch.status,
      eligible: rejection === undefined,
      rejectionReason: rejection?.reason ?? null,
      rejectionRules: rejection?.rules ?? null,
      errorCount: rejection?.errorCount ?? 0,
      errors: rejection?.errors ?? [],
    };
  }
}
