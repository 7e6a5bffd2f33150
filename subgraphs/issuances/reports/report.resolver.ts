import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Fault, refuse } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../common/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import type { LiveReports } from './live-reports.js';
import { toManagementReport } from './management-report.js';
import { ManagementReport, ReportMonths } from './management-report.type.js';
import { storedMonthsOf, storedReports } from './report.store.js';
import { tickerArg } from '../operations/ticker-arg.js';

@Resolver()
export class ReportResolver {
  constructor(private readonly liveReports: LiveReports) {}

  @Access('data')
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
  @Query(() => ManagementReport, {
    description:
      'The management report of an operation at the end of a month, or the live position of today. Document 1, GET /v1/emissoes/operacoes/{ticker}/relatorio-mensal. NOT_FOUND when the operation does not exist or is not public, or the month has no report; BAD_REQUEST when the month is not of the form YYYY-MM.',
  })
  async managementReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
    @Arg('month', () => String, {
      nullable: true,
      description: 'Month, `YYYY-MM`; omitted: the live position of today',
    })
    month: string | null | undefined,
  ): Promise<Shape<ManagementReport>> {
    if (month != null && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
      refuse('BAD_REQUEST', [{ path: 'month', message: 'must be a month of the form YYYY-MM' }]);
    }
    const operation = await findPublicOperation(context, ticker);
    if (month == null) {
      const live = await loaderOf(context, this.liveReports).load(operation.id);
      return toManagementReport(operation.ticker, null, live);
    }
    const [stored] = await storedReports(context, [{ operationId: operation.id, month }]);
    if (stored === undefined) throw new Fault('NOT_FOUND', { message: `There is no report of ${month}` });
    return toManagementReport(operation.ticker, month, stored);
  }
}
