import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import type { LiveReports } from './live-reports.js';
import { toManagementReport } from './management-report.js';
import type { ManagementReport } from './management-report.type.js';
import type { MonthReports } from './month-reports.js';

const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;

export interface ReportReaders {
  readonly liveReports: LiveReports;
  readonly monthReports: MonthReports;
}

/** Selects a report of an operation. */
export interface ReportChoice {
  readonly ticker: string;
  /** `YYYY-MM`; null for the live position. */
  readonly month: string | null;
  /** A version of a final month; null for the newest version, or the preliminary report. */
  readonly version: number | null;
}

/**
 * Returns the management report of a public operation: today's live one, or that of a month.
 * @throws {ApiError} BAD_REQUEST for an invalid month, a version without a month, or one out of bounds; NOT_FOUND when the operation does
 *   not exist or is not public, or the month has no report, or not that version
 */
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

/**
 * Rejects an invalid version, or one without a month.
 * @param name of the argument
 * @throws {ApiError} BAD_REQUEST
 */
export function refuseVersion(name: string, month: string | null, version: number | null): void {
  if (version === null) return;
  requireBounds({ name, value: version, min: 1, max: 999_999 });
  if (month === null) refuse('BAD_REQUEST', [{ path: name, message: 'belongs to a month: give the month too' }]);
}
