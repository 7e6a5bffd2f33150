import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { answerChecks, answerOf, type OpenApi, type Operation } from './openapi-kit.js';

export interface Response {
  readonly status: number;
  readonly body: unknown;
  /** Those of the text are looked for among them. */
  readonly headers?: Headers;
}

/** Headers that a response has only now and then. */
const sometimes = new Set([
  'Accept-Encoding',
  'X-Idempotent-Replayed',
  'X-Ignored-Parameters',
  'Retry-After',
  'Content-Disposition',
  'Surrogate-Key',
]);

interface Place {
  readonly name: string;
  readonly form: RegExp;
  readonly operation: Operation;
}

/**
 * Returns a function that says what is wrong with a response: its status is not documented, or its body is not of the schema of that status.
 * @param text its schemas are taken strictly: a property that is not described is wrong
 */
export function responseChecks(text: OpenApi) {
  const compile = answerChecks(text);
  const checks = new Map<JsonSchema, ValidateFunction>();
  const places = placesOf(text);

  const checkOf = (schema: JsonSchema): ValidateFunction => {
    const check = checks.get(schema) ?? compile(schema);
    checks.set(schema, check);
    return check;
  };
  return (method: string, target: string, { status, body, headers }: Response) => {
    const path = target.split('?', 1)[0] ?? '';
    const place = places.find(({ name, form }) => name.startsWith(`${method} `) && form.test(path));
    if (place === undefined) return [`${method} ${path} is not in the text`];
    if (place.operation.responses[String(status)] === undefined) return [`${place.name}: ${status} is not documented`];
    const answer = answerOf(text, place.operation, status);
    const missing = Object.keys(answer.headers ?? {}).filter(
      (name) => headers !== undefined && !sometimes.has(name) && !headers.has(name),
    );
    if (missing.length > 0) return [`${place.name}: ${status} has no ${missing.join(', ')}`];
    const schema = answer.content?.['application/json']?.schema;
    if (schema === undefined) return body === undefined ? [] : [`${place.name}: ${status} has a body`];
    const check = checkOf(schema);
    if (check(body)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${place.name}: ${status} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The operations of a text by their paths, those without parameters first: `/assets/summary` is no id. */
function placesOf({ paths }: OpenApi): Place[] {
  return Object.entries(paths)
    .sort(([left], [right]) => left.split('{').length - right.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        operation,
      })),
    );
}
