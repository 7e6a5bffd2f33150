import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { answerChecks, answerOf, type OpenApi, type Operation } from './openapi-kit.js';

type Sight = 'value' | 'null' | 'absent';

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

/** Holds responses against a text, and keeps how each property of them was seen. */

interface Place {
  readonly name: string;
  readonly form: RegExp;
  readonly operation: Operation;
}

/** Where a property stands, and what the text says of it beside its type. */
interface Property {
  readonly nullable: boolean;
  readonly optional: boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const nameOf = (pointer: string) => pointer.split('/').at(-1) ?? '';

/** @param text its schemas are taken strictly: a property that is not described is wrong */
export function createResponseRecord(text: OpenApi) {
  const compile = answerChecks(text);
  const checks = new Map<JsonSchema, ValidateFunction>();
  const places = placesOf(text);
  const sights = new Map<string, Set<Sight>>();

  const checkOf = (schema: JsonSchema): ValidateFunction => {
    const check = checks.get(schema) ?? compile(schema);
    checks.set(schema, check);
    return check;
  };
  const look = (schema: JsonSchema, value: unknown, place: string): void => {
    const { $ref, allOf = [], oneOf, items, properties = {} } = schema;
    if ($ref !== undefined) look(text.components.schemas[nameOf($ref)] ?? {}, value, nameOf($ref));
    for (const part of allOf) look(part, value, place);
    const form = oneOf?.find((one) => checkOf(one)(value));
    if (form !== undefined) look(form, value, place);
    if (items !== undefined && Array.isArray(value)) for (const item of value) look(items, item, place);
    if (!isRecord(value)) return;
    for (const [name, field] of Object.entries(properties)) {
      const own = value[name];
      const property = `${place}.${name}`;
      const seen = sights.get(property) ?? new Set();
      sights.set(property, seen.add(own === undefined ? 'absent' : own === null ? 'null' : 'value'));
      if (own != null) look(field, own, property);
    }
  };

  return {
    /** What is wrong with a response: its status is not documented, or its body is not of the schema of that. */
    issuesOf: (method: string, target: string, { status, body, headers }: Response) => {
      const path = target.split('?', 1)[0] ?? '';
      const place = places.find(({ name, form }) => name.startsWith(`${method} `) && form.test(path));
      if (place === undefined) return [`${method} ${path} is not in the text`];
      if (place.operation.responses[String(status)] === undefined)
        return [`${place.name}: ${status} is not documented`];
      const answer = answerOf(text, place.operation, status);
      const missing = Object.keys(answer.headers ?? {}).filter(
        (name) => headers !== undefined && !sometimes.has(name) && !headers.has(name),
      );
      if (missing.length > 0) return [`${place.name}: ${status} has no ${missing.join(', ')}`];
      const schema = answer.content?.['application/json']?.schema;
      if (schema === undefined) return body === undefined ? [] : [`${place.name}: ${status} has a body`];
      const check = checkOf(schema);
      if (check(body)) {
        look(schema, body, `${place.name} ${status}`);
        return [];
      }
      return (check.errors ?? []).map(
        ({ instancePath, message = '', params }) =>
          `${place.name}: ${status} ${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
    /** What the text says a property can be and no response showed: `Order.price null`. In order. */
    unseen: () =>
      [...propertiesOf(text)]
        .flatMap(([name, { nullable, optional }]) => {
          const wanted: Sight[] = [
            'value',
            ...(nullable ? ['null' as const] : []),
            ...(optional ? ['absent' as const] : []),
          ];
          return wanted.filter((sight) => sights.get(name)?.has(sight) !== true).map((sight) => `${name} ${sight}`);
        })
        .sort(),
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

/** Every property of the responses of a text: of a component by its name, `Order.price`. */
function propertiesOf(text: OpenApi): Map<string, Property> {
  const found = new Map<string, Property>();
  const walk = (
    { $ref, allOf = [], oneOf = [], items, properties = {}, required = [] }: JsonSchema,
    place: string,
  ): void => {
    if ($ref !== undefined) walk(text.components.schemas[nameOf($ref)] ?? {}, nameOf($ref));
    for (const part of [...allOf, ...oneOf, ...(items === undefined ? [] : [items])]) walk(part, place);
    for (const [name, field] of Object.entries(properties)) {
      const property = `${place}.${name}`;
      if (found.has(property)) continue;
      found.set(property, { nullable: field.nullable === true, optional: !required.includes(name) });
      walk(field, property);
    }
  };
  for (const { name, operation } of placesOf(text)) {
    for (const status of Object.keys(operation.responses)) {
      const schema = answerOf(text, operation, Number(status)).content?.['application/json']?.schema;
      if (schema !== undefined) walk(schema, `${name} ${status}`);
    }
  }
  return found;
}
