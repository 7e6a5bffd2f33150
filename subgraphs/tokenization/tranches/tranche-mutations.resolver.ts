import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { today } from '../../../shared/kernel/today.js';
import { changeTrancheStatus } from './change-tranche-status.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche, toTranche, type TrancheShape } from './tranche.type.js';

@Resolver()
export class TrancheMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => Tranche, {
    description:
      'Changes the status of a series: DRAFT to FUNDRAISING, FUNDRAISING to ACTIVE, ACTIVE to CLOSED when every instalment is paid; a series without invested money can be CLOSED earlier. Announced as `tranche.status_changed`. A series that already has the status remains unchanged. Errors: 404 for a series that does not exist; 409 for any other change.',
  })
  async changeTrancheStatus(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('status', () => TrancheStatusEnum, { description: 'New status' }) status: TrancheStatus,
  ): Promise<TrancheShape> {
    return toTranche(await changeTrancheStatus(context, ticker, status), today(context));
  }
}
