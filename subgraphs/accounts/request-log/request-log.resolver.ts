import { Arg, Args, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { readErrors, readRequests } from './read-requests.js';
import {
  LoggedRequestConnection,
  RequestErrorFilter,
  RequestErrors,
  RequestLogArgs,
  toLoggedRequest,
  type LoggedRequest,
} from './request-log.type.js';

@Resolver()
export class RequestLogResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly days: number,
  ) {}

  @Access('session')
  @Query(() => Int, {
    description:
      'Number of days for which requests made with keys are stored; 0 where they are not. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  requestLogDays(): number {
    return this.days;
  }

  @Access('session')
  @Query(() => LoggedRequestConnection, {
    description:
      'The requests that were made with keys of the account, in pages, newest first, some 2 seconds late; empty where `requestLogDays` is 0. Messages of sockets are not in it. Errors: 400 for an invalid filter, arguments out of bounds, and a cursor of another filter; 401 without a session; 403 before the e-mail is confirmed.',
  })
  requestLog(
    @Ctx() context: Context,
    @Args(() => RequestLogArgs) { filter, ...page }: RequestLogArgs,
  ): Promise<Connection<Shape<LoggedRequest>>> {
    return readRequests(context, this.codec, this.days, { ...page, filter: filter ?? {} }, toLoggedRequest);
  }

  @Access('session')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [RequestErrors], {
    description:
      'The failed requests among those of `requestLog`, grouped by path, status and code: the most frequent groups first, at most 100. Errors: 400 for an invalid filter; 401 without a session; 403 before the e-mail is confirmed.',
  })
  async requestErrors(
    @Ctx() context: Context,
    @Arg('filter', () => RequestErrorFilter, { nullable: true, description: 'Which of them count; all without it.' })
    filter: RequestErrorFilter | null | undefined,
  ): Promise<Shape<RequestErrors>[]> {
    return (await readErrors(context, this.days, filter ?? {})).map(({ route, ...group }) => ({
      ...group,
      path: route,
    }));
  }
}
