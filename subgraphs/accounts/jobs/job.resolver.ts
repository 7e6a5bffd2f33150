import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { listJobs } from './job.store.js';
import { ScheduledJob, toScheduledJob } from './job.type.js';
import { runJob } from './run-job.js';

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
