import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { requestTick } from '../../../shared/work/job-ticks.store.js';
import { runRequestedTopic } from '../../../shared/work/scheduler.js';
import { listJobs, type JobRow } from './job.store.js';

/** A scheduler starts it after the commit, in whichever process, within seconds. A requested run is not requested again. @throws {ApiError} NOT_FOUND, CONFLICT while a run is under way */
export async function runJob(tx: Context, name: string): Promise<JobRow> {
  const before = await requireJob(tx, name);
  if (before.isAlive) throw new ApiError('CONFLICT', byRule('JOB_RUNNING'));
  const isNew = await requestTick(tx, name);
  if (isNew) afterCommit(tx, () => void tx.bus.publish(runRequestedTopic, null));
  await recordAudit(tx, { action: 'runJob', subject: { type: 'job', id: name }, after: { requested: isNew } });
  return requireJob(tx, name);
}

async function requireJob(context: Context, name: string): Promise<JobRow> {
  const [job] = await listJobs(context, name);
  if (job === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such job: scheduledJobs lists them' });
  return job;
}
