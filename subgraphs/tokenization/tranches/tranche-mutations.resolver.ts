import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { today } from '../../../shared/today.js';
import { changeTrancheStatus } from './change-tranche-status.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche, toTranche, type TrancheShape } from './tranche.type.js';

@Resolver()
export class TrancheMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => Tranche, {
    description:
      'Moves a series to another status: DRAFT to FUNDRAISING, FUNDRAISING to ACTIVE, ACTIVE to CLOSED when every instalment is paid; a series into which nothing was put may be CLOSED before. Tells of `tranche.status_changed`. One that has the status already stays as it is. Errors: 404 for no such series; 409 for another move.',
  })
  async changeTrancheStatus(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: "The series' ticker, whatever the case" }) ticker: string,
    @Arg('status', () => TrancheStatusEnum, { description: 'Where it is to stand' }) status: TrancheStatus,
  ): Promise<TrancheShape> {
    return toTranche(await changeTrancheStatus(context, ticker, status), today(context));
  }
}
