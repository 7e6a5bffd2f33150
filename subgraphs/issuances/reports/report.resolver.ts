import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { tickerArg } from '../operations/ticker-arg.js';
import { toMonthDetail } from './management-report.js';
import { ManagementReport, ReportMonths } from './management-report.type.js';
import { readManagementReport, type ReportReaders } from './reports.acts.js';

@Resolver()
export class ReportResolver {
  constructor(private readonly readers: ReportReaders) {}

  @Access('data')
  @AsOf()
  @Query(() => ReportMonths, {
    description:
      'The months for which an operation has a management report, preliminary or final. REST: GET /v1/emissoes/operacoes/{ticker}/relatorio-mensal/meses. Errors: 404 when the operation does not exist or is not public.',
  })
  async reportMonths(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
  ): Promise<Shape<ReportMonths>> {
    const operation = await findPublicOperation(context, ticker);
    const months = await loaderOf(context, this.readers.monthReports.months).load(operation.id);
    return {
      ticker: operation.ticker,
      months: months.map(({ month }) => month),
      details: months.map(toMonthDetail),
    };
  }

  @Access('data')
  @AsOf()
  @Query(() => ManagementReport, {
    description:
      'The management report of an operation at the end of a month, or the live position of today. REST: GET /v1/emissoes/operacoes/{ticker}/relatorio-mensal. Errors: 400 when the month is not of the form YYYY-MM, and for a version without a month or not from 1 to 999999; 404 when the operation does not exist or is not public, or when the month or the version does not exist.',
  })
  managementReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
    @Arg('month', () => String, {
      nullable: true,
      description: 'Month, `YYYY-MM`; the live position of today when omitted',
    })
    month: string | null | undefined,
    @Arg('versao', () => Int, {
      nullable: true,
      description:
        'Version of the final report of the month; the newest version, or the preliminary report, when omitted',
    })
    versao: number | null | undefined,
  ): Promise<Shape<ManagementReport>> {
    return readManagementReport(context, this.readers, { ticker, month: month ?? null, version: versao ?? null });
  }
}
