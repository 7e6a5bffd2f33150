import { loaderOf, type Context } from '../../../shared/context.js';
import { Fault, refuse } from '../../../shared/errors.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import type { LiveReports } from './live-reports.js';
import { toManagementReport } from './management-report.js';
import type { ManagementReport } from './management-report.type.js';
import { storedReports } from './report.store.js';

const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;

/**
 * The management report of a public operation: the live one of today, or the one that was stored for a month.
 * @param month `YYYY-MM`; null for the live position
 * @throws {Fault} BAD_REQUEST for what is no month; NOT_FOUND when the operation does not exist or is not public, or the
 * month has no report
 */
export async function readManagementReport(
  context: Context,
  liveReports: LiveReports,
  ticker: string,
  month: string | null,
): Promise<Shape<ManagementReport>> {
  if (month !== null && !monthForm.test(month)) {
    refuse('BAD_REQUEST', [{ path: 'month', message: 'must be a month of the form YYYY-MM' }]);
  }
  const operation = await findPublicOperation(context, ticker);
  if (month === null) {
    return toManagementReport(operation.ticker, null, await loaderOf(context, liveReports).load(operation.id));
  }
  const [stored] = await storedReports(context, [{ operationId: operation.id, month }]);
  if (stored === undefined) throw new Fault('NOT_FOUND', { message: `There is no report of ${month}` });
  return toManagementReport(operation.ticker, month, stored);
}
