import type { Context } from '../kernel/context.js';

/** A run of a job: the moment that it was due or requested at identifies it. */
export interface Tick {
  readonly job: string;
  readonly scheduledAt: Date;
}

/** How long after its last sign of life a run counts as cut off: its process is gone. */
export const aliveMs = 60_000;

/** Starts a tick, unless another instance has. Returns whether it has to run here. */
export function startTick({ manager, clock }: Context, { job, scheduledAt }: Tick): Promise<boolean> {
  return manager.changes(
    `INSERT INTO shared.job_ticks (job, scheduled_at, started_at, alive_at) VALUES ($1, $2, $3, $3) ON CONFLICT DO NOTHING`,
    [job, scheduledAt, clock.now()],
  );
}

/** Requests a run of a job at the present moment. Returns false, and changes nothing, if one is requested already. */
export function requestTick({ manager, clock }: Context, job: string): Promise<boolean> {
  return manager.changes('INSERT INTO shared.job_ticks (job, scheduled_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    job,
    clock.now(),
  ]);
}

/** Starts the ticks of some jobs that operators requested, but for jobs with a run under way. Each is started by one instance. */
export function startRequested({ manager, clock }: Context, jobs: readonly string[]): Promise<Tick[]> {
  const now = clock.now();
  return manager.rows<Tick>(
    `UPDATE shared.job_ticks AS tick SET started_at = $2, alive_at = $2
     WHERE tick.started_at IS NULL AND tick.job = ANY ($1) AND NOT EXISTS (
       SELECT FROM shared.job_ticks AS other WHERE other.job = tick.job AND other.started_at IS NOT NULL
         AND other.finished_at IS NULL AND other.alive_at > $3)
     RETURNING tick.job, tick.scheduled_at AS "scheduledAt"`,
    [jobs, now, new Date(now.getTime() - aliveMs)],
  );
}

export async function keepAlive({ manager, clock }: Context, ticks: readonly Tick[]): Promise<void> {
  if (ticks.length === 0) return;
  await manager.execute(
    `UPDATE shared.job_ticks AS tick SET alive_at = $3 FROM unnest($1::text[], $2::timestamptz[]) AS own (job, scheduled_at)
     WHERE tick.job = own.job AND tick.scheduled_at = own.scheduled_at`,
    [ticks.map(({ job }) => job), ticks.map(({ scheduledAt }) => scheduledAt), clock.now()],
  );
}

/** Ends a tick. @param error why the job failed; null if it worked */
export async function endTick(
  { manager }: Context,
  { job, scheduledAt }: Tick,
  finishedAt: Date,
  error: string | null,
): Promise<void> {
  await manager.execute(
    'UPDATE shared.job_ticks SET finished_at = $3, error = $4 WHERE job = $1 AND scheduled_at = $2',
    [job, scheduledAt, finishedAt, error],
  );
}

export async function saveJobs(
  { manager }: Context,
  jobs: readonly { readonly name: string; readonly cron: string }[],
): Promise<void> {
  const sorted = jobs.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  await manager.execute(
    // In one order: schedulers that start at the same moment wait for each other, and never in a circle.
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) AS given (name, cron)), gone AS (
       DELETE FROM shared.jobs WHERE name <> ALL ($1)
     )
     INSERT INTO shared.jobs (name, cron) SELECT name, cron FROM given ORDER BY name
     ON CONFLICT (name) DO UPDATE SET cron = excluded.cron`,
    [sorted.map(({ name }) => name), sorted.map(({ cron }) => cron)],
  );
}
