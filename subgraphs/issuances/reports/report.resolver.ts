import { Arg, Ctx, Directive, FieldResolver, Int, Resolver, Root, Query, Mutation } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Operation, tickerArg } from '../operations/operation.type.js';
import {
  PortfolioReport,
  ReportMonthState,
  toLiveReport,
  toPortfolioReport,
  ManagementReport,
  ReportMonths,
} from './portfolio-report.type.js';
import { refuseVersion, type ReportReaders, readManagementReport, closeMonth, reissueMonth } from './reports.acts.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { toMonthDetail } from './management-report.js';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';

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

const tickerOfAny = { description: 'Ticker of the operation, public or not, in any case' };

/** Both read the calendar over the connection of their act, which waits for no second one. */
@Resolver()
export class ReportMutationsResolver {
  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => ReportMonthState, {
    description:
      'Makes the management report of a month final with its current data, which completes its positions. Announced by `operationUpdated` (REPORT). Errors: 400 for a reason that is empty, longer than 500 characters or not one line; 404 for an operation that does not exist, or a month without data; 409 when it is already final, and, without a reason, when a price, payment or position of it is missing, with each in `details`; 422 for a month that has not ended.',
  })
  async closeReport(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerOfAny) ticker: string,
    @Arg('month', () => MonthScalar, { description: 'Month' }) month: string,
    @Arg('reason', () => String, {
      nullable: true,
      description:
        'Reason for closing the month although something of it is missing: the price of its last business day of an outstanding series, a payment that was due in it or before, a position of a contract in the portfolio. 1 to 500 characters on one line; it is published where something is missing',
    })
    reason: string | null | undefined,
  ): Promise<Shape<ReportMonthState>> {
    return closeMonth(context, await loadCalendar(context.manager), ticker, month, reason ?? null);
  }

  @Access('operator', 'publish')
  @StepUp()
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
