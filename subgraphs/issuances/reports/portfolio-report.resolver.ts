import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { MonthScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { Operation } from '../operations/operation.type.js';
import type { LiveReports } from './live-reports.js';
import { PortfolioReport, toPortfolioReport } from './portfolio-report.type.js';
import { storedMonthsOf, storedReports } from './report.store.js';

@Resolver(() => Operation)
export class PortfolioReportResolver {
  constructor(private readonly liveReports: LiveReports) {}

  @AsOf()
  @FieldResolver(() => [MonthScalar], { description: 'The months that have a stored management report, newest first' })
  reportMonths(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string[]> {
    return loaderOf(context, storedMonthsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => PortfolioReport, {
    nullable: true,
    description: 'Its management report at the end of a month, or of today; null for a month that has none.',
  })
  async report(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Arg('month', () => MonthScalar, { nullable: true, description: 'The month; omitted: the live position of today' })
    month: string | null | undefined,
  ): Promise<Shape<PortfolioReport> | null> {
    if (month == null) return toPortfolioReport(null, await loaderOf(context, this.liveReports).load(id));
    const stored = await loaderOf(context, storedReports).load({ operationId: id, month });
    return stored === undefined ? null : toPortfolioReport(month, stored);
  }
}
