import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { tickerArg } from '../operations/ticker-arg.js';
import type { LiveReports } from './live-reports.js';
import { ManagementReport, ReportMonths } from './management-report.type.js';
import { readManagementReport } from './read-management-report.js';
import { storedMonthsOf } from './report.store.js';

@Resolver()
export class ReportResolver {
  constructor(private readonly liveReports: LiveReports) {}

  @Access('data')
  @AsOf()
  @Query(() => ReportMonths, {
    description:
      'The months of which an operation has a stored management report. Document 1, GET /v1/emissoes/operacoes/{ticker}/relatorio-mensal/meses. NOT_FOUND when the operation does not exist or is not public.',
  })
  async reportMonths(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
  ): Promise<Shape<ReportMonths>> {
    const operation = await findPublicOperation(context, ticker);
    return { ticker: operation.ticker, months: await loaderOf(context, storedMonthsOf).load(operation.id) };
  }

  @Access('data')
  @AsOf()
  @Query(() => ManagementReport, {
    description:
      'The management report of an operation at the end of a month, or the live position of today. Document 1, GET /v1/emissoes/operacoes/{ticker}/relatorio-mensal. NOT_FOUND when the operation does not exist or is not public, or the month has no report; BAD_REQUEST when the month is not of the form YYYY-MM.',
  })
  managementReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
    @Arg('month', () => String, {
      nullable: true,
      description: 'Month, `YYYY-MM`; omitted: the live position of today',
    })
    month: string | null | undefined,
  ): Promise<Shape<ManagementReport>> {
    return readManagementReport(context, this.liveReports, ticker, month ?? null);
  }
}
