import { Arg, Ctx, Directive, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Operation } from '../operations/operation.type.js';
import { PortfolioReport, ReportMonthState, toLiveReport, toPortfolioReport } from './portfolio-report.type.js';
import { refuseVersion, type ReportReaders } from './reports.acts.js';

@Resolver(() => Operation)
export class PortfolioReportResolver {
  constructor(private readonly readers: ReportReaders) {}

  @AsOf()
  @FieldResolver(() => [MonthScalar], {
    description: 'The months that have a management report, preliminary or final, newest first',
  })
  async reportMonths(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string[]> {
    return (await loaderOf(context, this.readers.monthReports.months).load(id)).map(({ month }) => month);
  }

  @AsOf()
  @Directive('@listSize(assumedSize: 60)')
  @FieldResolver(() => [ReportMonthState], {
    description: 'The same months with the state of each report, newest first',
  })
  reportMonthStates(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<ReportMonthState>[]> {
    return loaderOf(context, this.readers.monthReports.months).load(id);
  }

  @AsOf()
  @FieldResolver(() => PortfolioReport, {
    nullable: true,
    description:
      'Its management report at the end of a month, or of today; null when the month or the version does not exist. Errors: 400 for a version without a month, or one that is not from 1 to 999999.',
  })
  async report(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Arg('month', () => MonthScalar, {
      nullable: true,
      description: 'Month of the report; the live position of today when omitted',
    })
    month: string | null | undefined,
    @Arg('version', () => Int, {
      nullable: true,
      description:
        'Version of the final report of the month; the newest version, or the preliminary report, when omitted',
    })
    version: number | null | undefined,
  ): Promise<Shape<PortfolioReport> | null> {
    refuseVersion('version', month ?? null, version ?? null);
    if (month == null) return toLiveReport(await loaderOf(context, this.readers.liveReports).load(id));
    const key = { operationId: id, month, version: version ?? null };
    const found = await loaderOf(context, this.readers.monthReports.reports).load(key);
    return found === undefined ? null : toPortfolioReport(found);
  }
}
