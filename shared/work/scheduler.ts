import { schedule, type Logger as CronLogger, type ScheduledTask } from 'node-cron';
import { coalesced } from '../memo.js';
import type { Context } from '../kernel/context.js';
import { logFailed } from '../database/log-unavailable.js';
import { endTick, keepAlive, saveJobs, startRequested, startTick, type Tick } from './job-ticks.store.js';
import type { Logger } from '../kernel/log.js';
import { messageOf } from '../kernel/thrown.js';

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
  stop(): Promise<void>;
}

export interface SchedulerHooks {
  onFinished?(job: string, outcome: 'ok' | 'failed', seconds: number): void;
}

export const runRequestedTopic = 'jobs.requested';
/** Interval at which a scheduler polls for requested runs and renews the sign of life of its own runs. */
const lookMs = 5_000;

/** Runs each tick once among all instances, by the row `(job, scheduled_at)`. A requested run is such a row without a start. */
export function createScheduler(context: Context, jobs: readonly Job[], hooks: SchedulerHooks = {}): Scheduler {
  const tasks: ScheduledTask[] = [];
  const stopping = new AbortController();
  const runs = createRuns(context, hooks, stopping.signal);
  let areSaved = false;
  let timer: NodeJS.Timeout | undefined;
  let stopListening: Promise<() => Promise<void>> | undefined;

  const look = coalesced(async () => {
    if (stopping.signal.aborted) return;
    try {
      if (!areSaved) await saveJobs(context, jobs);
      areSaved = true;
      await runs.takeRequested(jobs);
    } catch (error) {
      logFailed(context.log, error, 'Requested runs of jobs could not be read; this will be retried');
    }
  });

  return {
    tick: runs.tick,
    start: () => {
      for (const job of jobs) {
        tasks.push(
          schedule(job.cron, ({ date }) => runs.launch(job, date), {
            name: job.name,
            timezone: 'Etc/UTC',
            noOverlap: true,
            logger: cronWords(context.log),
          }),
        );
        if (job.atStart === true) void runs.launch(job, context.clock.now());
      }
      timer = setInterval(() => void look(), lookMs);
      stopListening = context.bus.listen(runRequestedTopic, () => void look());
      void look();
    },
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await (
        await stopListening
      )?.();
      for (const task of tasks) await task.destroy();
      // One that was under way has started its runs by then.
      await look();
      await runs.ended();
    },
  };
}

function createRuns(context: Context, hooks: SchedulerHooks, stopping: AbortSignal) {
  const underWay = new Set<Promise<void>>();
  const running = new Set<Tick>();

  const run = async (job: Job, tick: Tick): Promise<void> => {
    const startedMs = context.clock.now().getTime();
    let failure: string | null = null;
    running.add(tick);
    try {
      await job.run({ ...context, loaders: new Map() }, stopping);
    } catch (error) {
      failure = messageOf(error);
      logFailed(context.log, error, 'A job failed', { job: job.name });
    } finally {
      running.delete(tick);
    }
    const finishedAt = context.clock.now();
    hooks.onFinished?.(job.name, failure === null ? 'ok' : 'failed', (finishedAt.getTime() - startedMs) / 1000);
    await endTick(context, tick, finishedAt, failure);
  };
  const tick = async (job: Job, scheduledAt: Date): Promise<boolean> => {
    const own = { job: job.name, scheduledAt };
    if (!(await startTick(context, own))) return false;
    await run(job, own);
    return true;
  };
  /** Never rejects. */
  const track = async (work: Promise<unknown>, words: string, job: string): Promise<void> => {
    const tracked = work.then(
      () => undefined,
      (error: unknown) => {
        logFailed(context.log, error, words, { job });
      },
    );
    underWay.add(tracked);
    await tracked;
    underWay.delete(tracked);
  };

  return {
    tick,
    /** The cron task awaits it, so a job's next tick is skipped while the previous one still runs here. */
    launch: async (job: Job, scheduledAt: Date): Promise<void> => {
      if ([...running].some((other) => other.job === job.name)) return;
      await track(tick(job, scheduledAt), 'A tick could not be claimed', job.name);
    },
    takeRequested: async (jobs: readonly Job[]): Promise<void> => {
      await keepAlive(context, [...running]);
      const byName = new Map(jobs.map((job) => [job.name, job]));
      for (const requested of await startRequested(context, [...byName.keys()])) {
        const job = byName.get(requested.job);
        if (job !== undefined) void track(run(job, requested), 'The end of a run could not be written', job.name);
      }
    },
    ended: () => Promise.all(underWay),
  };
}

export function cronWords(log: Logger): CronLogger {
  return {
    debug: (said) => log.debug({ said: String(said) }, 'The clock of the jobs'),
    info: (said) => log.info({ said }, 'The clock of the jobs'),
    warn: (said) => log.warn({ said }, 'The clock of the jobs'),
    error: (said, error) => log.error({ said: String(said), err: error }, 'The clock of the jobs'),
  };
}
