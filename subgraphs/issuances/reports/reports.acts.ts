import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule, errorAt, maxDetails, refuse } from '../../../shared/kernel/errors.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findPublicOperation, requireOperation } from '../operations/operation.store.js';
import { raiseRevision } from '../revision/revision.js';
import { announceReports } from './announce-reports.js';
import { computeMonth } from './compute-months.js';
import type { LiveReports } from './live-reports.js';
import { toManagementReport } from './management-report.js';
import type { ManagementReport } from './portfolio-report.type.js';
import { type MonthGaps, readMonthGaps } from './month-gaps.js';
import type { MonthReports } from './month-reports.js';
import { type ReportMonth, lastEndedMonth, sourceOf } from './report-months.js';
import { storedReports, addVersions, type NewVersion, loadFinalMonths, loadKnownMonths } from './report.store.js';

/**
 * Stores the report of a month from its current data as the final version 1, and announces it.
 * @param month `YYYY-MM`
 * @param reason why it is closed although a price, payment or position of it is missing; kept with the version where one is
 * @throws {ApiError} BAD_REQUEST for the reason; UNPROCESSABLE for a month that has not ended; NOT_FOUND for an unknown operation, or a month without
 *   data; CONFLICT for one that is final, or that lacks something while there is no reason
 */
export async function closeMonth(
  context: Context,
  calendar: Calendar,
  ticker: string,
  month: string,
  reason: string | null,
): Promise<ReportMonth> {
  const why = reason === null ? null : requireReason(reason);
  return inTransaction(context, async (tx) => {
    const { key, newest, ...operation } = await loadMonthToStore(tx, ticker, month);
    if (newest !== undefined)
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} is final, in version ${newest.version ?? 1}: reissue it if it is wrong`,
      });
    const [gaps] = await readMonthGaps(tx, calendar, [key]);
    const isComplete = gaps === undefined || gaps.total === 0;
    if (!isComplete && why === null) throw incomplete(month, gaps);
    const accepted = isComplete ? null : why;
    const report = await computeMonth(tx, calendar, key);
    const closed = await storeVersion(tx, { ...key, version: 1, reason: accepted, report });
    await recordAudit(tx, {
      action: 'closeReport',
      subject: { type: 'report', id: `${operation.ticker} ${month}` },
      after: { version: 1, source: key.source, reason: accepted, missing: gaps?.total ?? 0 },
    });
    return closed;
  });
}

/** Returns the error of a month that cannot be closed without a reason: all that it lacks, as far as a response lists it. */
function incomplete(month: string, { named, total }: MonthGaps): ApiError {
  const details = named.slice(0, maxDetails - 1).map((one) => ({ path: 'month', ...one }));
  return new ApiError('CONFLICT', {
    ...byRule('MONTH_INCOMPLETE', { month, count: total }),
    details: [...details, errorAt('reason', 'REASON_TO_CLOSE')],
  });
}

const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;

export interface ReportReaders {
  readonly liveReports: LiveReports;
  readonly monthReports: MonthReports;
}

export interface ReportChoice {
  readonly ticker: string;
  /** `YYYY-MM`; null for the live position. */
  readonly month: string | null;
  /** A version of a final month; null for the newest version, or the preliminary report. */
  readonly version: number | null;
}

/** Returns today's live report, or the report of a month. @throws {ApiError} BAD_REQUEST for an invalid month or version; NOT_FOUND for an operation that is not public, and a month without a report */
export async function readManagementReport(
  context: Context,
  { liveReports, monthReports }: ReportReaders,
  { ticker, month, version }: ReportChoice,
): Promise<Shape<ManagementReport>> {
  if (month !== null && !monthForm.test(month)) {
    refuse('BAD_REQUEST', [{ path: 'month', message: 'must be a month of the form YYYY-MM' }]);
  }
  refuseVersion('versao', month, version);
  const operation = await findPublicOperation(context, ticker);
  if (month === null) {
    return toManagementReport(operation.ticker, await loaderOf(context, liveReports).load(operation.id));
  }
  const found = await loaderOf(context, monthReports.reports).load({ operationId: operation.id, month, version });
  if (found !== undefined) return toManagementReport(operation.ticker, found);
  const wanted = version === null ? month : `${month} in version ${version}`;
  throw new ApiError('NOT_FOUND', {
    message: `There is no report of ${wanted}: see the list of the months that have one`,
  });
}

/** @throws {ApiError} BAD_REQUEST for an invalid version, or one without a month */
export function refuseVersion(name: string, month: string | null, version: number | null): void {
  if (version === null) return;
  requireBounds({ name, value: version, min: 1, max: 999_999 });
  if (month === null) refuse('BAD_REQUEST', [{ path: name, message: 'belongs to a month: give the month too' }]);
}

/**
 * Reissues the report of a final month from its current data as the next version, and announces it. Earlier versions stay.
 * @param month `YYYY-MM`
 * @param reason why: it is published, 1 to 500 characters on one line
 * @throws {ApiError} BAD_REQUEST for the reason; UNPROCESSABLE for a month that has not ended; NOT_FOUND for an unknown operation, or a month without
 *   data; CONFLICT for a month that is preliminary, or a report that would be the same
 */
export async function reissueMonth(
  context: Context,
  calendar: Calendar,
  ticker: string,
  month: string,
  reason: string,
): Promise<ReportMonth> {
  const why = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const { key, newest, ...operation } = await loadMonthToStore(tx, ticker, month);
    if (newest?.version == null)
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} is preliminary and follows the data: close it first`,
      });
    const [standing] = await storedReports(tx, [{ ...key, version: null }]);
    const report = await computeMonth(tx, calendar, key);
    if (!newest.dataChanged && isDeepStrictEqual(report, standing?.report))
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} would be the same as version ${newest.version}: its data has not changed since`,
      });
    const version = newest.version + 1;
    const issued = await storeVersion(tx, { ...key, version, reason: why, report });
    await recordAudit(tx, {
      action: 'reissueReport',
      subject: { type: 'report', id: `${operation.ticker} ${month}` },
      before: { version: newest.version },
      after: { version, source: key.source, reason: why },
    });
    return issued;
  });
}

/** @throws {ApiError} CONFLICT if another transaction has stored that version */
async function storeVersion(tx: Context, added: NewVersion): Promise<ReportMonth> {
  const { month, version, reason } = added;
  if (!(await addVersions(tx, [added])))
    throw new ApiError('CONFLICT', {
      message: `Version ${version} of ${month} was stored concurrently by another request: read it, and repeat yours if it is still needed`,
    });
  await announceReports(tx, [added]);
  return { month, status: 'FINAL', version, reason, generatedAt: tx.clock.now(), dataChanged: false };
}

/** Blocks commits of imports and of other such mutations until the transaction ends. @throws {ApiError} UNPROCESSABLE for a month that has not ended; NOT_FOUND without data */
async function loadMonthToStore(tx: Context, ticker: string, month: string) {
  const lastMonth = lastEndedMonth(tx);
  if (month > lastMonth) {
    refuse('UNPROCESSABLE', [
      {
        path: 'month',
        message: `must have ended, but ${month} has not: the last month that has ended is ${lastMonth}`,
      },
    ]);
  }
  const operation = await requireOperation(tx, ticker);
  await raiseRevision(tx, [operation.id]);
  const [known] = await loadKnownMonths(tx, [operation.id]);
  const [final = []] = await loadFinalMonths(tx, [operation.id]);
  const source = known && sourceOf(known, month);
  if (source === undefined)
    throw new ApiError('NOT_FOUND', {
      message: `There are no positions of ${operation.ticker} for the end of ${month}: import them first`,
    });
  return {
    ticker: operation.ticker,
    key: { operationId: operation.id, month, source },
    newest: final.find((one) => one.month === month),
  };
}
