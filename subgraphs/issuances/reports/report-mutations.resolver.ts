import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { MonthScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { closeMonth } from './close-month.js';
import { ReportMonthState } from './portfolio-report.type.js';
import { reissueMonth } from './reissue-month.js';

const tickerOfAny = { description: 'Ticker of the operation, public or not, whatever the case' };

@Resolver()
export class ReportMutationsResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @Access('operator', 'publish')
  @Mutation(() => ReportMonthState, {
    description:
      'Makes the management report of a month final as its data stands: its positions are complete. Tells of `operationUpdated` (REPORT). Errors: 404 for no such operation, or a month that nothing is known of; 409 for one that is final; 422 for one that has not ended.',
  })
  async closeReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerOfAny) ticker: string,
    @Arg('month', () => MonthScalar, { description: 'The month' }) month: string,
  ): Promise<Shape<ReportMonthState>> {
    return closeMonth(context, await this.calendar(), ticker, month);
  }

  @Access('operator', 'publish')
  @Mutation(() => ReportMonthState, {
    description:
      'Issues the management report of a final month again, as its data stands now, as the next version. Earlier versions stay and can be read. Tells of `operationUpdated` (REPORT). Errors: 400 for a reason that is empty, longer than 500 characters or not one line; 404 for no such operation, or a month that nothing is known of; 409 for one that is preliminary, or a report that would say the same; 422 for a month that has not ended.',
  })
  async reissueReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerOfAny) ticker: string,
    @Arg('month', () => MonthScalar, { description: 'The month' }) month: string,
    @Arg('reason', () => String, { description: 'Why, 1 to 500 characters on one line; it is published' })
    reason: string,
  ): Promise<Shape<ReportMonthState>> {
    return reissueMonth(context, await this.calendar(), ticker, month, reason);
  }
}
