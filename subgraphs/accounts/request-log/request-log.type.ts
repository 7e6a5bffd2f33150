import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { args, fields, float, id, inputs, int, nullable, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A request that was made with a key of the account. Nothing of its path, query, headers or bodies is stored.',
})
export class LoggedRequest extends fields({
  at: time('End of the request.'),
  method: text('HTTP method.'),
  path: text('Template of the path, such as `/v1/emissoes/operacoes/{ticker}`.'),
  status: int('HTTP status of the response.'),
  errorCode: nullable.text(
    'Code of the error, as in `extensions.code`; of the graph that of the first error. Null where there was none.',
  ),
  requestId: nullable.id('Id of the request (`X-Request-Id`); null where the caller chose one that is no UUID.'),
  keyId: id('Id of the key.'),
  durationMs: int('Milliseconds from the arrival of the request to the end of its response.'),
  bytes: nullable.float('Bytes of the body of the response; null where its length was not known before it was sent.'),
}) {}

export const LoggedRequestConnection = connectionType(LoggedRequest, {
  name: 'LoggedRequest',
  nodes: 'requests',
  order: 'newest first',
  uncounted: 'null for more than 10,000',
});

@InputType({ description: 'Filter of the log of requests. A field that is omitted does not restrict the list.' })
export class RequestLogFilter extends inputs({
  from: nullable.of<string>(() => DateTimeScalar, 'Requests at this moment or later.'),
  to: nullable.of<string>(() => DateTimeScalar, 'Requests before this moment.'),
  status: nullable.int('An HTTP status such as 429, or the first digit of a class: 4 for 400 to 499.'),
  path: nullable.text('Beginning of the template of the path, such as `/v1/emissoes/`; at most 200 characters.'),
  keyId: nullable.id('Id of a key.'),
  requestId: nullable.id('Id of a request.'),
}) {}

@ArgsType()
export class RequestLogArgs extends args({
  ...ofPage(),
  filter: nullable.of(() => RequestLogFilter, 'Which requests are listed; all without it.'),
}) {}

@InputType({ description: 'Filter of the errors of requests. A field that is omitted does not restrict them.' })
export class RequestErrorFilter extends inputs({
  from: nullable.of<string>(() => DateTimeScalar, 'Errors at this moment or later.'),
  to: nullable.of<string>(() => DateTimeScalar, 'Errors before this moment.'),
  keyId: nullable.id('Id of a key.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Requests of one path that failed with one status and code.' })
export class RequestErrors extends fields({
  method: text('HTTP method.'),
  path: text('Template of the path.'),
  status: int('HTTP status; 200 for an error of the graph.'),
  errorCode: nullable.text('Code of the error; null where it is not known.'),
  count: float('Number of such requests.'),
  firstAt: time('Time of the first of them.'),
  lastAt: time('Time of the last of them.'),
}) {}

export function toLoggedRequest({
  route: path,
  ...row
}: Omit<Shape<LoggedRequest>, 'path'> & { readonly route: string }): Shape<LoggedRequest> {
  return { ...row, path };
}
