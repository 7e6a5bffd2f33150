import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import type { OpenApi, Operation, Parameter } from './document.js';
import { typeOf } from './types.js';

/** The separator of CSV has two names; the client takes the English one, and only for CSV. */
const separators = ['separator', 'separador'];
const json = 'application/json';

/** A list whose items the client can walk through: its form, the property with the items, and their type. */
export interface Paging {
  readonly form: 'token' | 'page' | 'connection';
  readonly items: string;
  readonly itemType: string;
}

export function parametersOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((one): one is Parameter => 'name' in one);
}

/** Parameters of the query for a JSON response: without those that only a text body or a CSV response reads. */
export function queryOf(operation: Operation): Parameter[] {
  const inBody = Object.keys(bodyOf(operation)?.properties ?? {});
  return parametersOf(operation).filter(
    ({ name, in: place }) => place === 'query' && !separators.includes(name) && !inBody.includes(name),
  );
}

/** Parameters of the query beside a text body: those that a JSON body holds itself. */
export function textQueryOf(operation: Operation): Parameter[] {
  const inBody = Object.keys(bodyOf(operation)?.properties ?? {});
  return parametersOf(operation).filter(({ name, in: place }) => place === 'query' && inBody.includes(name));
}

export function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  return requestBody?.content[json]?.schema;
}

/** Returns the media type of a second, textual form of the body. */
export function textBodyOf({ requestBody }: Operation): string | undefined {
  return Object.keys(requestBody?.content ?? {}).find((type) => type.startsWith('text/plain'));
}

/** Whether the body is not an object with named fields, so that the caller passes it whole. */
export function hasWholeBody(operation: Operation): boolean {
  const body = bodyOf(operation);
  return body !== undefined && body.properties === undefined;
}

export function takesKey({ parameters }: Operation): boolean {
  return parameters.some((one) => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'));
}

export function hasCsv({ responses }: Operation): boolean {
  return responses['200']?.content?.['text/csv'] !== undefined;
}

/** Returns the type of a successful response. */
export function responseType({ responses }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.[json]?.schema)
    .map((schema) => (schema === undefined ? undefined : typeOf(schema, '  ')));
  const found = types.filter((type) => type !== undefined).join(' | ');
  if (found === '') return 'undefined';
  return types.includes(undefined) ? `${found} | undefined` : found;
}

/** Returns how a list is paged; undefined where the operation is not a paged list. */
export function pagingOf(document: OpenApi, operation: Operation): Paging | undefined {
  const names = queryOf(operation).map(({ name }) => name);
  const form = names.includes('nextToken')
    ? 'token'
    : names.includes('page')
      ? 'page'
      : names.includes('after')
        ? 'connection'
        : undefined;
  if (form === undefined) return undefined;
  const schema = operation.responses['200']?.content?.[json]?.schema ?? {};
  const page = resolved(document, resolved(document, schema).oneOf?.[0] ?? schema);
  const lists = Object.entries(page.properties ?? {}).filter(([, one]) => one.type === 'array');
  const [list] = lists;
  if (list === undefined || lists.length > 1) {
    throw new Error(`The items of ${operation.operationId} are not the only list of its response`);
  }
  return { form, items: list[0], itemType: typeOf(list[1].items ?? {}) };
}

function resolved({ components }: OpenApi, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** Returns the places of decimals that the body holds as JSON numbers, such as `contracts[].faceValue`. */
export function decimalsOf(operation: Operation): string[] {
  return decimalsIn(bodyOf(operation) ?? {}, '');
}

function decimalsIn(schema: JsonSchema, path: string): string[] {
  if (schema['x-decimals'] !== undefined) return [path];
  if (schema.items !== undefined) return decimalsIn(schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    decimalsIn(one, path === '' ? name : `${path}.${name}`),
  );
}
