import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { resolved, type OpenApi, type Operation, type Parameter } from './document.js';

const json = 'application/json';
const csv = 'text/csv';
/** The separator of CSV has two names; the client takes the English one, and only for CSV. */
const separators = ['separator', 'separador'];
/** Which credential of the client a security scheme of the document needs. */
const credentials: Readonly<Record<string, string>> = {
  apiKey: 'api_key',
  apiKeyBearer: 'api_key',
  developerKey: 'developer_key',
  session: 'session_token',
  accessToken: 'access_token',
  clientId: 'signature',
};

/** How a list is paged, and the property of a response that has its items. */
export interface Paging {
  readonly form: 'none' | 'token' | 'page' | 'connection';
  readonly items: string;
  readonly item: JsonSchema;
}

/** A call that the client offers: an operation with one of the forms of its body and of its response. */
export interface Call {
  readonly operation: Operation;
  /** What follows the name of the operation in the name of this call. */
  readonly suffix: '' | '_csv' | '_cnab444';
  readonly parameters: readonly Parameter[];
  /** The JSON schema of the body, where it has one. */
  readonly body: JsonSchema | undefined;
  /** The media type of the body; undefined without a body. */
  readonly mediaType: string | undefined;
  readonly accept: string;
  /** The schemas of successful responses; undefined stands for one without a body. */
  readonly responses: readonly (JsonSchema | undefined)[];
}

/** Returns every call of an operation: with JSON, and where it has them with a text body and with a response in CSV. */
export function callsOf(operation: Operation): Call[] {
  const parameters = operation.parameters.filter((one): one is Parameter => 'name' in one);
  const body = bodyOf(operation);
  const inBody = Object.keys(body?.properties ?? {});
  const without = (names: readonly string[]) => parameters.filter(({ name }) => !names.includes(name));
  const call: Call = {
    operation,
    suffix: '',
    parameters: without([...separators, ...inBody]),
    body,
    mediaType: body === undefined ? undefined : json,
    accept: json,
    responses: Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, { content }]) => content?.[json]?.schema),
  };
  const calls = [call];
  const textType = Object.keys(operation.requestBody?.content ?? {}).find((type) => type.startsWith('text/plain'));
  if (textType !== undefined) {
    // These parameters are optional in the document, because a JSON body has them itself.
    const texts = parameters.map((one) => ({ ...one, required: one.required || inBody.includes(one.name) }));
    calls.push({ ...call, suffix: '_cnab444', body: undefined, mediaType: textType, parameters: texts });
  }
  if (operation.responses['200']?.content?.[csv] !== undefined) {
    const pages = ['limit', 'nextToken', 'page', 'first', 'after', 'separador'];
    calls.push({ ...call, suffix: '_csv', accept: csv, parameters: without(pages), responses: [{ type: 'string' }] });
  }
  return calls;
}

/** Returns the schema of the JSON body; undefined without one. */
export function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  return requestBody?.content[json]?.schema;
}

/** Whether the caller passes the body whole, because it is not one object with named fields. */
export function hasWholeBody({ body }: Call): boolean {
  return body !== undefined && body.properties === undefined;
}

export function takesKey({ operation }: Call): boolean {
  return operation.parameters.some((one) => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'));
}

/** Returns the credentials that an operation accepts, the preferred first; none where it is public. */
export function credentialsOf({ operation }: Call): string[] {
  const found = operation.security.map((schemes) => {
    const [scheme = ''] = Object.keys(schemes);
    const credential = credentials[scheme];
    if (credential === undefined) throw new Error(`The client has no credential for the scheme ${scheme}`);
    return credential;
  });
  return [...new Set(found)];
}

/** Returns how a list is paged; undefined where a response has no list of objects. */
export function pagingOf(document: OpenApi, { operation, suffix, parameters, responses }: Call): Paging | undefined {
  if (suffix !== '') return undefined;
  const names = parameters.map(({ name }) => name);
  const [response = {}] = responses;
  const whole = resolved(document, response);
  const page = whole.oneOf?.[0] === undefined ? whole : resolved(document, whole.oneOf[0]);
  const lists = Object.entries(page.properties ?? {}).filter(([, { type }]) => type === 'array');
  const [list] = lists;
  const form = names.includes('nextToken')
    ? 'token'
    : names.includes('page')
      ? 'page'
      : names.includes('after')
        ? 'connection'
        : 'none';
  if (list === undefined || lists.length > 1) {
    if (form === 'none') return undefined;
    throw new Error(`The items of ${operation.operationId} are not the only list of its response`);
  }
  return { form, items: list[0], item: list[1].items ?? {} };
}
