import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { closeMonth, reissueMonth } from './reports.acts.js';
import { ReportMonthState } from './portfolio-report.type.js';

const tickerOfAny = { description: 'Ticker of the operation, public or not, in any case' };

/** Both read the calendar over the connection of their act, which waits for no second one. */
@Resolver()
export class ReportMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => ReportMonthState, {
    description:
      'Makes the management report of a month final with its current data, which completes its positions. Announced by `operationUpdated` (REPORT). Errors: 404 for an operation that does not exist, or a month without data; 409 when it is already final; 422 for a month that has not ended.',
  })
  async closeReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerOfAny) ticker: string,
    @Arg('month', () => MonthScalar, { description: 'Month' }) month: string,
  ): Promise<Shape<ReportMonthState>> {
    return closeMonth(context, await loadCalendar(context.manager), ticker, month);
  }

  @Access('operator', 'publish')
  @Mutation(() => ReportMonthState, {
    description:
      'Reissues the management report of a final month with its current data, as the next version. Earlier versions remain available. Announced by `operationUpdated` (REPORT). Errors: 400 for a reason that is empty, longer than 500 characters or not one line; 404 for an operation that does not exist, or a month without data; 409 when the report is preliminary, or would not change; 422 for a month that has not ended.',
  })
  async reissueReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerOfAny) ticker: string,
    @Arg('month', () => MonthScalar, { description: 'Month' }) month: string,
    @Arg('reason', () => String, {
      description: 'Reason for the reissue, 1 to 500 characters on one line; it is published',
    })
    reason: string,
  ): Promise<Shape<ReportMonthState>> {
    return reissueMonth(context, await loadCalendar(context.manager), ticker, month, reason);
  }
}
