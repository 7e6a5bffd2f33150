import type { Context } from '../../../shared/kernel/context.js';
import { aliveMs } from '../../../shared/work/job-ticks.store.js';

export interface JobRow {
  readonly name: string;
  readonly cron: string;
  /** When an operator requested a run that has not started; null without one. */
  readonly requestedAt: Date | null;
  /** Runs of the last 7 days that failed. */
  readonly recentFailures: number;
  /** The latest run; its fields are null without one. */
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
  /** Whether the latest run, and any run, shows that it is under way. */
  readonly lastIsAlive: boolean;
  readonly isAlive: boolean;
}

const failuresMs = 7 * 86_400_000;
const mostJobs = 200;

export function listJobs({ manager, clock }: Context, name: string | null = null): Promise<JobRow[]> {
  const nowMs = clock.now().getTime();
  return manager.rows(
    `SELECT job.name, job.cron, request.scheduled_at AS "requestedAt", failed.count AS "recentFailures",
       last.scheduled_at AS "scheduledAt", last.started_at AS "startedAt", last.finished_at AS "finishedAt", last.error,
       coalesce(last.finished_at IS NULL AND last.alive_at > $2, false) AS "lastIsAlive",
       EXISTS (SELECT FROM shared.job_ticks AS run WHERE run.job = job.name AND run.started_at IS NOT NULL
         AND run.finished_at IS NULL AND run.alive_at > $2) AS "isAlive"
     FROM shared.jobs AS job
     LEFT JOIN shared.job_ticks AS request ON request.job = job.name AND request.started_at IS NULL
     LEFT JOIN LATERAL (
       SELECT tick.scheduled_at, tick.started_at, tick.finished_at, tick.alive_at, tick.error FROM shared.job_ticks AS tick
       WHERE tick.job = job.name AND tick.started_at IS NOT NULL ORDER BY tick.scheduled_at DESC LIMIT 1) AS last ON true
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS count FROM shared.job_ticks AS tick
       WHERE tick.job = job.name AND tick.error IS NOT NULL AND tick.scheduled_at >= $3) AS failed
     WHERE $1::text IS NULL OR job.name = $1
     ORDER BY job.name LIMIT ${mostJobs}`,
    [name, new Date(nowMs - aliveMs), new Date(nowMs - failuresMs)],
  );
}
