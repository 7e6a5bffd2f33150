import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { CursorPageArgs } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { LoggedRow } from './request-log.store.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A request that was made with a key of the account. Nothing of its path, query, headers or bodies is stored.',
})
export class LoggedRequest {
  @Field(() => Date, { description: 'End of the request.' })
  at!: Date;

  @Field(() => String, { description: 'HTTP method.' })
  method!: string;

  @Field(() => String, { description: 'Template of the path, such as `/v1/emissoes/operacoes/{ticker}`.' })
  path!: string;

  @Field(() => Int, { description: 'HTTP status of the response.' })
  status!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Code of the error, as in `extensions.code`; of the graph that of the first error. Null where there was none.',
  })
  errorCode!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the request (`X-Request-Id`); null where the caller chose one that is no UUID.',
  })
  requestId!: string | null;

  @Field(() => ID, { description: 'Id of the key.' })
  keyId!: string;

  @Field(() => Int, { description: 'Milliseconds from the arrival of the request to the end of its response.' })
  durationMs!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Bytes of the body of the response; null where its length was not known before it was sent.',
  })
  bytes!: number | null;
}

export const LoggedRequestConnection = connectionType(LoggedRequest, {
  name: 'LoggedRequest',
  nodes: 'requests',
  order: 'newest first',
  uncounted: 'null for more than 10,000',
});

@InputType({ description: 'Filter of the log of requests. A field that is omitted does not restrict the list.' })
export class RequestLogFilter {
  @Field(() => DateTimeScalar, { nullable: true, description: 'Requests at this moment or later.' })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Requests before this moment.' })
  to?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'An HTTP status such as 429, or the first digit of a class: 4 for 400 to 499.',
  })
  status?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Beginning of the template of the path, such as `/v1/emissoes/`; at most 200 characters.',
  })
  path?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of a key.' })
  keyId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of a request.' })
  requestId?: string | null;
}

@ArgsType()
export class RequestLogArgs extends CursorPageArgs {
  @Field(() => RequestLogFilter, { nullable: true, description: 'Which requests are listed; all without it.' })
  filter?: RequestLogFilter | null;
}

@InputType({ description: 'Filter of the errors of requests. A field that is omitted does not restrict them.' })
export class RequestErrorFilter {
  @Field(() => DateTimeScalar, { nullable: true, description: 'Errors at this moment or later.' })
  from?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Errors before this moment.' })
  to?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of a key.' })
  keyId?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Requests of one path that failed with one status and code.' })
export class RequestErrors {
  @Field(() => String, { description: 'HTTP method.' })
  method!: string;

  @Field(() => String, { description: 'Template of the path.' })
  path!: string;

  @Field(() => Int, { description: 'HTTP status; 200 for an error of the graph.' })
  status!: number;

  @Field(() => String, { nullable: true, description: 'Code of the error; null where it is not known.' })
  errorCode!: string | null;

  @Field(() => Float, { description: 'Number of such requests.' })
  count!: number;

  @Field(() => Date, { description: 'Time of the first of them.' })
  firstAt!: Date;

  @Field(() => Date, { description: 'Time of the last of them.' })
  lastAt!: Date;
}

export function toLoggedRequest({ route, ...row }: LoggedRow): Shape<LoggedRequest> {
  return { ...row, path: route };
}
