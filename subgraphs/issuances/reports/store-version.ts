import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { announceReports } from './announce-reports.js';
import type { ReportMonth } from './report-months.js';
import { addVersions, type NewVersion } from './report.store.js';

/**
 * Stores a version of the report of a month and announces it.
 * @throws {ApiError} CONFLICT if another transaction has stored that version
 */
export async function storeVersion(tx: Context, added: NewVersion): Promise<ReportMonth> {
  const { month, version, reason } = added;
  if (!(await addVersions(tx, [added])))
    throw new ApiError('CONFLICT', {
      message: `Version ${version} of ${month} was stored concurrently by another request: read it, and repeat yours if it is still needed`,
    });
  await announceReports(tx, [added]);
  return { month, status: 'FINAL', version, reason, generatedAt: tx.clock.now(), dataChanged: false };
}
