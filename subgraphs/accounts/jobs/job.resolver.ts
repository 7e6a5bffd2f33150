import { Arg, Ctx, Directive, Mutation, Query, Resolver, ObjectType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { listJobs, type JobRow } from './job.store.js';
import { runJob } from './run-job.js';
import { shownError } from '../../../shared/kernel/thrown.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { fields, int, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@Resolver()
export class JobResolver {
  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 40)')
  @Query(() => [ScheduledJob], {
    description:
      'The jobs of the scheduler by name, each with its latest run; at most 200. Errors: 401 and 403 for callers who are not operators.',
  })
  async scheduledJobs(@Ctx() context: Context): Promise<ScheduledJob[]> {
    return (await listJobs(context)).map(toScheduledJob);
  }

  @Access('operator', 'administer')
  @Mutation(() => ScheduledJob, {
    description:
      'Requests a run of a job at once, besides those by the clock. A scheduler starts it within seconds, in whichever process; without one it waits. A run that was requested and has not started is not requested again. Errors: 401 and 403 without the role `administer`; 404; 409 while a run is under way.',
  })
  async runJob(
    @Ctx() context: Context,
    @AtMost({ maxLength: 100 })
    @Arg('name', () => String, { description: 'Name of the job.' })
    name: string,
  ): Promise<ScheduledJob> {
    return toScheduledJob(await runJob(context, name));
  }
}

type JobOutcome = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CUT_OFF';

const JobOutcomeEnum = describeEnum<JobOutcome>(
  'JobOutcome',
  'How a run of a job went.',
  {
    RUNNING: 'It is under way',
    SUCCEEDED: 'It ended without an error',
    FAILED: 'It ended with an error',
    CUT_OFF: 'Its process ended before it did, or has not shown for a minute that it is under way',
  },
  {
    RUNNING: ['Em andamento', 'Running'],
    SUCCEEDED: ['Concluído', 'Succeeded'],
    FAILED: ['Com falha', 'Failed'],
    CUT_OFF: ['Interrompido', 'Cut off'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'A run of a job.' })
export class JobRun extends fields({
  scheduledAt: time('Moment for which it was scheduled or requested.'),
  startedAt: time('Time of its start.'),
  finishedAt: nullable.time('Time of its end; null while it is under way, or was cut off.'),
  durationMs: nullable.int('Duration in milliseconds; null without an end.'),
  outcome: of(() => JobOutcomeEnum, 'How it went.'),
  error: nullable.text(
    'Text of the error, at most 300 characters, without e-mail addresses, tax ids and queries of URLs; null unless it failed. The log has the rest.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Work that runs by the clock.' })
class ScheduledJob extends fields({
  name: text('Name, as in the log and in the metric `job_duration_seconds`.'),
  cron: text('When it runs: a cron expression in UTC, with seconds if it has six fields.'),
  requestedAt: nullable.time('Time at which an operator requested a run that has not started; null without one.'),
  recentFailures: int('Number of runs that failed in the last 7 days.'),
  lastRun: nullable.of(() => JobRun, 'The latest run; null if there was none in the last 30 days.'),
}) {}

/** Converts a job; a run without an end is under way while its process shows that. */
function toScheduledJob(row: JobRow): ScheduledJob {
  const { name, cron, requestedAt, recentFailures } = row;
  return { name, cron, requestedAt, recentFailures, lastRun: toRun(row) };
}

function toRun({ scheduledAt, startedAt, finishedAt, error, lastIsAlive }: JobRow): JobRun | null {
  if (scheduledAt === null || startedAt === null) return null;
  const durationMs = finishedAt === null ? null : Math.max(0, finishedAt.getTime() - startedAt.getTime());
  const unfinished = lastIsAlive ? 'RUNNING' : 'CUT_OFF';
  const outcome = finishedAt === null ? unfinished : error === null ? 'SUCCEEDED' : 'FAILED';
  return { scheduledAt, startedAt, finishedAt, durationMs, outcome, error: error === null ? null : shownError(error) };
}
