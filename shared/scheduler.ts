import { schedule, type Logger as CronLogger, type ScheduledTask } from 'node-cron';
import type { Context } from './context.js';
import { logFailed } from './database/log-unavailable.js';
import type { Logger } from './log.js';
import { messageOf } from './thrown.js';

/** Scheduled work. */
export interface Job {
  readonly name: string;
  /** A cron expression in UTC, with seconds if it has six fields. */
  readonly cron: string;
  /** Also runs it when an instance starts: for work that must not wait for its next tick after a downtime. */
  readonly atStart?: boolean;
  /** @param stopping aborted when the instance stops: a long job ends after its current step */
  run(context: Context, stopping?: AbortSignal): Promise<unknown>;
}

export interface Scheduler {
  start(): void;
  /** Runs a job's tick unless another instance already has; returns whether it ran here. */
  tick(job: Job, scheduledAt: Date): Promise<boolean>;
  /** Stops new ticks and waits for running ones. */
  stop(): Promise<void>;
}

export interface SchedulerHooks {
  onFinished?(job: string, outcome: 'ok' | 'failed', seconds: number): void;
}

/** Creates a scheduler that runs each tick of each job once, however many instances there are: the row `(job, scheduled_at)` decides which one runs it. */
export function createScheduler(context: Context, jobs: readonly Job[], hooks: SchedulerHooks = {}): Scheduler {
  const tasks: ScheduledTask[] = [];
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  const tick = async (job: Job, scheduledAt: Date): Promise<boolean> => {
    const startedAt = context.clock.now();
    const won = await context.manager.rows<unknown>(
      `INSERT INTO shared.job_ticks (job, scheduled_at, started_at) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING job`,
      [job.name, scheduledAt, startedAt],
    );
    if (won.length === 0) return false;
    let failure: string | null = null;
    try {
      await job.run({ ...context, loaders: new Map() }, stopping.signal);
    } catch (error) {
      failure = messageOf(error);
      logFailed(context.log, error, 'A job failed', { job: job.name });
    }
    const finishedAt = context.clock.now();
    hooks.onFinished?.(
      job.name,
      failure === null ? 'ok' : 'failed',
      (finishedAt.getTime() - startedAt.getTime()) / 1000,
    );
    await context.manager.execute(
      'UPDATE shared.job_ticks SET finished_at = $3, error = $4 WHERE job = $1 AND scheduled_at = $2',
      [job.name, scheduledAt, finishedAt, failure],
    );
    return true;
  };

  /** Never rejects. The cron task awaits it, so a job's next tick is skipped while the previous one still runs here. */
  const launch = async (job: Job, scheduledAt: Date): Promise<void> => {
    const run = tick(job, scheduledAt).catch((error: unknown) =>
      logFailed(context.log, error, 'A tick could not be claimed', { job: job.name }),
    );
    underWay.add(run);
    await run.finally(() => underWay.delete(run));
  };

  return {
    tick,
    start: () => {
      for (const job of jobs) {
        tasks.push(
          schedule(job.cron, ({ date }) => launch(job, date), {
            name: job.name,
            timezone: 'Etc/UTC',
            noOverlap: true,
            logger: cronWords(context.log),
          }),
        );
        if (job.atStart === true) void launch(job, context.clock.now());
      }
    },
    stop: async () => {
      stopping.abort();
      for (const task of tasks) await task.destroy();
      await Promise.all(underWay);
    },
  };
}

/** Adapts node-cron's messages to our log. */
export function cronWords(log: Logger): CronLogger {
  return {
    debug: (said) => log.debug({ said: String(said) }, 'The clock of the jobs'),
    info: (said) => log.info({ said }, 'The clock of the jobs'),
    warn: (said) => log.warn({ said }, 'The clock of the jobs'),
    error: (said, error) => log.error({ said: String(said), err: error }, 'The clock of the jobs'),
  };
}
