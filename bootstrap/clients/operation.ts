import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { resolved, type OpenApi, type Operation, type Parameter } from './openapi.js';

export const json = 'application/json';
export const csv = 'text/csv';
/** The separator of CSV has two names; the clients take the English one, and only for CSV. */
export const separators: readonly string[] = ['separator', 'separador'];

/** How a list is paged, and the property of a response that has its items. */
export interface Paging {
  readonly form: 'none' | 'token' | 'page';
  readonly items: string;
  readonly item: JsonSchema;
}

/** Returns the parameters that are described in place: those of the path, the query, and of trading calls. */
export function parametersOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((one): one is Parameter => 'name' in one);
}

/** Returns the schema of the JSON body; undefined without one. */
export function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  return requestBody?.content[json]?.schema;
}

/** Returns the media type of a second, textual form of the body. */
export function textBodyOf({ requestBody }: Operation): string | undefined {
  return Object.keys(requestBody?.content ?? {}).find((type) => type.startsWith('text/plain'));
}

/** Returns the profile of that text: `cnab444`. */
export function textProfileOf(operation: Operation): string {
  return textBodyOf(operation)?.split('profile=')[1] ?? '';
}

export function takesKey({ parameters }: Operation): boolean {
  return parameters.some((one) => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'));
}

export function hasCsv({ responses }: Operation): boolean {
  return responses['200']?.content?.[csv] !== undefined;
}

/** Returns the schemas of successful responses; undefined stands for one without a body. */
export function responsesOf({ responses }: Operation): (JsonSchema | undefined)[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.[json]?.schema);
}

/** Returns how a list is paged; undefined where a response has no list of objects. */
export function pagingOf(document: OpenApi, operation: Operation): Paging | undefined {
  const names = parametersOf(operation).map(({ name }) => name);
  const [response = {}] = responsesOf(operation);
  const whole = resolved(document, response);
  const page = whole.oneOf?.[0] === undefined ? whole : resolved(document, whole.oneOf[0]);
  const lists = Object.entries(page.properties ?? {}).filter(([, { type }]) => type === 'array');
  const [list] = lists;
  const form = names.includes('nextToken') ? 'token' : names.includes('page') ? 'page' : 'none';
  if (list === undefined || lists.length > 1) {
    if (form === 'none') return undefined;
    throw new Error(`The items of ${operation.operationId} are not the only list of its response`);
  }
  return { form, items: list[0], item: list[1].items ?? {} };
}
