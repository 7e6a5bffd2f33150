import { print } from 'graphql';
import { cookieName } from '../../gateway/http/identify/identify.js';
import type { JsonSchema, Dialect } from '../../gateway/graph/json-schema/json-schema.js';
import type { SelectedValue } from '../../gateway/graph/json-schema/marked-places.js';
import { outputSchemas } from '../../gateway/graph/json-schema/output-schema.js';
import { groupBy } from '../../shared/kernel/group-by.js';
import { separators } from '../../shared/kernel/format/csv-line.js';
import type { Operations } from '../operations.js';
import {
  hasBody,
  isPublished,
  isReplayed,
  pathParameters,
  separatorParameters,
  textRows,
  type CsvForm,
  type Route,
  type TextBody,
  largestText,
} from '../route.js';
import { agentPaths, agentSchemas } from './agents.js';
import { callbacksOf, eventSchemas, withEventNames, type DocumentedEvent } from './callbacks.js';
import {
  envelopeSchema,
  errorResponse,
  headers,
  headersOf,
  notModified,
  parameters,
  responses,
  securitySchemes,
} from './components.js';
import { notEmpty, publishedInput } from './inputs.js';
import { signatureSecurity } from './signed-requests.js';
import { introduction, tags } from './text.js';
import { maxUnpackedBytes, textTypeOf } from '../../gateway/http/body/text-body.js';

/** Returns the OpenAPI 3.0.3 text. @param events that webhooks receive @param serverUrl of the deployment: importers cannot resolve a relative one */
export function openApi(
  operations: Operations,
  routes: readonly Route[],
  events: readonly DocumentedEvent[],
  serverUrl = 'http://localhost:4000',
): object {
  const schemas = responseSchemas();
  const paths: Record<string, Record<string, Described>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const callbacks = route.tells === true ? { callbacks: callbacksOf(events) } : {};
    const operation = { ...operationOf(operations, withEventNames(route, events), schemas), ...callbacks };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shared = {
    responses: share('responses', all.flatMap(refusalsOf)),
    parameters: share('parameters', all.flatMap(parametersOf)),
  };
  return {
    openapi: '3.0.3',
    info: {
      title: 'Issuances, tokenization and trading API',
      version: '1.0.0',
      description: introduction,
      license: { name: 'Proprietary', url: `${serverUrl}/docs` },
    },
    servers: [{ url: serverUrl, description: 'The public address of this deployment.' }],
    tags,
    paths: { ...paths, ...agentPaths },
    components: {
      securitySchemes,
      headers,
      parameters: { ...parameters, ...shared.parameters },
      responses: { ...responses, ...shared.responses },
      schemas: { ...schemas.components, ...agentSchemas, ...eventSchemas(events), Error: envelopeSchema },
    },
  };
}

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, object>;
  readonly parameters: object[];
  readonly [part: string]: unknown;
}

interface Part {
  readonly name: string;
  readonly part: object;
  readonly replace: (reference: object) => void;
}

const refusalsOf = ({ operationId, responses: own }: Described): Part[] =>
  Object.entries(own)
    .filter(([status]) => Number(status) >= 300)
    .map(([status, part]) => ({
      name: `${operationId}_${status}`,
      part,
      replace: (reference) => {
        own[status] = reference;
      },
    }));

const parametersOf = ({ operationId, parameters: own }: Described): Part[] =>
  own.map((part, at) => ({
    name: `${operationId}_${'name' in part ? String(part.name) : ''}`,
    part,
    replace: (reference) => {
      own[at] = reference;
    },
  }));

/** Makes each part that several operations have a component, named by the first of them, and puts references in its place. Returns the components. */
function share(kind: 'responses' | 'parameters', parts: readonly Part[]): Record<string, object> {
  const alike = groupBy(
    parts.filter(({ part }) => !('$ref' in part)),
    ({ part }) => JSON.stringify(part),
  );
  const components: Record<string, object> = {};
  for (const [first, ...others] of alike.values()) {
    if (first === undefined || others.length === 0) continue;
    components[first.name] = first.part;
    for (const { replace } of [first, ...others]) replace({ $ref: `#/components/${kind}/${first.name}` });
  }
  return components;
}

function operationOf(operations: Operations, route: Route, schemas: ResponseSchemas): Described {
  const input = publishedInput(operations, route, schemas.components);
  const body = hasBody(route);
  const inPath = new Set(pathParameters(route.path));
  const names = Object.keys(input.properties);
  const inBody = names.filter((name) => body && !inPath.has(name) && route.parameters[name]?.header === undefined);
  return {
    operationId: route.operationId ?? route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    parameters: [
      ...names
        .filter((name) => !inBody.includes(name))
        .map((name) => parameterOf(route, input.properties[name] ?? {}, name, inPath, input.required)),
      ...textParameters(operations, route, inPath, schemas),
      ...(route.csv === undefined ? [] : separatorParameters.map(separatorParameter)),
      { $ref: '#/components/parameters/RequestId' },
      ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    // An operation whose arguments are all in the path and in headers takes no body.
    ...(inBody.length > 0 ? { requestBody: bodyOf(route, input, inBody) } : {}),
    responses: responsesOf(operations, route, schemas),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route) }],
  };
}

/** Returns the parameters that are in the query when the body is text; a JSON body holds them itself. */
function textParameters(
  operations: Operations,
  route: Route,
  inPath: ReadonlySet<string>,
  schemas: ResponseSchemas,
): object[] {
  const byName = new Map<string, object>();
  for (const row of textRows(route)) {
    for (const [name, schema] of Object.entries(publishedInput(operations, row, schemas.components).properties)) {
      if (name === row.text || inPath.has(name) || byName.has(name)) continue;
      const description = `Only for a body of text. ${schema.description ?? ''}`;
      byName.set(name, parameterOf(row, { ...schema, description }, name, inPath, []));
    }
  }
  return [...byName.values()];
}

function separatorParameter(name: string): object {
  const other = separatorParameters.find((one) => one !== name) ?? '';
  return {
    name,
    in: 'query',
    required: false,
    description: `The separator of the cells of CSV; \`;\` when omitted. Same as \`${other}\`.`,
    schema: { type: 'string', enum: separators, default: ';' },
  };
}

function fileContent(types: readonly string[]): Record<string, object> {
  const schemaOf = (type: string) =>
    type === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' };
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }]));
}

function csvContent({ description, columns, example }: CsvForm): Record<string, object> {
  const text = `${description} Columns: ${columns.map((name) => `\`${name}\``).join(', ')}.`;
  return { 'text/csv': { schema: { type: 'string', description: text }, example } };
}

function securityOf({ credential, byProgram }: Route): object[] {
  if (credential === 'none') return [];
  if (byProgram !== undefined) return [{ browserSession: [] }];
  if (credential === 'signature') return [signatureSecurity];
  return [{ [credential === 'trader' ? 'accessToken' : credential]: [] }];
}

function parameterOf(
  route: Route,
  schema: JsonSchema,
  name: string,
  inPath: ReadonlySet<string>,
  required: readonly string[],
): object {
  const { description, ...rest } = schema;
  const path = inPath.has(name);
  const header = route.parameters[name]?.header;
  const sent = path ? route.example.path?.[name] : route.example.query?.[name];
  const example = sent === undefined ? undefined : typed(sent, rest);
  const inQuery = !path && header === undefined;
  return {
    name: header ?? name,
    in: header !== undefined ? 'header' : path ? 'path' : 'query',
    required: path || required.includes(name),
    description,
    schema: inQuery ? notEmpty(rest) : rest,
    ...(example === undefined ? {} : { example }),
  };
}

function typed(text: string, { type }: JsonSchema): string | number | boolean {
  if (type === 'integer') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

function bodyOf(route: Route, { properties, required }: JsonSchema, inBody: readonly string[]): object {
  const own = Object.entries(properties ?? {}).filter(([name]) => inBody.includes(name));
  const needed = (required ?? []).filter((name) => inBody.includes(name));
  const schema: JsonSchema = {
    type: 'object',
    ...(needed.length === 0 ? {} : { required: needed }),
    properties: Object.fromEntries(own),
  };
  const texts = (route.textBodies ?? []).map(
    ({ profile, description, example }) =>
      [textTypeOf(profile), { schema: { type: 'string', description }, example }] as const,
  );
  return {
    required: true,
    content: {
      'application/json': { schema, example: route.example.body ?? {} },
      ...Object.fromEntries(texts),
    },
  };
}

function responsesOf(operations: Operations, route: Route, schemas: ResponseSchemas): Record<string, object> {
  const { status, response: description } = route;
  const more = [
    ...(isReplayed(route) ? ['X-Idempotent-Replayed'] : []),
    ...(route.csv === undefined ? [] : ['Content-Disposition', 'Vary']),
    ...(route.file === undefined ? [] : ['Content-Disposition']),
    ...(isPublished(route) ? ['ETag', 'Cache-Control', 'Surrogate-Key'] : []),
  ];
  const content = status === 204 ? {} : { content: contentOf(operations, route, schemas) };
  const responses: Record<string, object> = {
    [status]: { description, headers: headersOf(...more), ...content },
  };
  if (isPublished(route)) responses[304] = notModified;
  for (const [code, condition] of Object.entries(errorsOf(route))) {
    responses[code] = errorResponse(Number(code), condition, isStored(route, Number(code)));
  }
  return responses;
}

function contentOf(operations: Operations, route: Route, schemas: ResponseSchemas): Record<string, object> {
  if (route.file !== undefined) return fileContent(route.file);
  const schema = schemas.of(operations(route.operation).response);
  const other = textRows(route).find(({ operation }) => !isSame(schema, schemas.of(operations(operation).response)));
  if (other !== undefined) throw new Error(`${other.operation} does not have the response of ${route.operation}`);
  return { 'application/json': { schema }, ...(route.csv === undefined ? {} : csvContent(route.csv)) };
}

/** Whether an error is kept under the idempotency key of its request: 4xx errors are, once the body is read. */
function isStored(route: Route, status: number): boolean {
  if (!hasBody(route) || status >= 500 || [401, 413, 415, 429].includes(status)) return false;
  // A 403 for a missing scope comes before the key is used.
  return status !== 403 || route.scope === undefined || route.errors?.[403] !== undefined;
}

function isSame(one: JsonSchema, other: JsonSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Schemas of responses. The selection of a named fragment is one component, however many responses hold it. */
interface ResponseSchemas {
  readonly components: Record<string, JsonSchema>;
  /** Returns the schema of a response, which is never null: where the graph returns null, the path responds with 404. */
  of(response: SelectedValue): JsonSchema;
}

function responseSchemas(): ResponseSchemas {
  const components: Record<string, JsonSchema> = {};
  /** Source of each component, to notice a second fragment of the same name. */
  const sources = new Map<string, string>();

  const component = (name: string, source: string, description: string | null | undefined, make: () => JsonSchema) => {
    const known = sources.get(name);
    if (known !== undefined && known !== source)
      throw new Error(`Two fragments, or a fragment and an enum, are named ${name}: rename the fragment`);
    if (known === undefined) {
      sources.set(name, source);
      const schema: JsonSchema = {};
      // Added before the schemas below it, in the order of reading.
      components[name] = schema;
      Object.assign(schema, make(), description ? { description } : {});
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  const dialect: Dialect = {
    orNull: (schema) => orNull(schema, components),
    described,
    enumeration: (type) => {
      const schema = { type: 'string', enum: type.getValues().map(({ name }) => name) };
      return component(type.name, type.name, type.description, () => schema);
    },
    fragment: (fragment, type, make) =>
      component(fragment.name.value, print(fragment), fragment.description?.value ?? type.description, make),
    oneOf: (alternatives) => ({ oneOf: alternatives.map(({ schema }) => schema) }),
  };
  const schemaOf = outputSchemas(dialect);
  return { components, of: ({ source, type, selections }) => schemaOf(source, type, selections) };
}

/** Allows null: OpenAPI 3.0 has no null type and no siblings of a `$ref`, so it is wrapped in `allOf` beside its type, as generators know it. */
function orNull(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  if (schema.enum !== undefined) return { ...schema, enum: [...schema.enum, null], nullable: true };
  if (schema.$ref === undefined) return { ...schema, nullable: true };
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return { type: components[name]?.enum === undefined ? 'object' : 'string', allOf: [schema], nullable: true };
}

function described(schema: JsonSchema, text: string | null | undefined): JsonSchema {
  if (!text) return schema;
  const description = overRest(text);
  return schema.$ref === undefined ? { ...schema, description } : { description, allOf: [schema] };
}

/** Converts the description of a field of the graph: over REST it has no arguments, so no errors of its own, and may be absent instead of null. */
function overRest(description: string): string {
  return description
    .replace(/ Errors: 400 [^.]*\.$/, '')
    .replace(/; null ([^;]*) \(omitted over REST\)/, '; absent $1');
}

const credentials = {
  none: '',
  session: 'Authorization: Bearer $ACCESS_TOKEN',
  apiKey: 'X-API-Key: $API_KEY',
  developerKey: 'X-API-Key: $DEVELOPER_KEY',
  trader: 'Authorization: Bearer $TRADING_TOKEN',
} as const;

export function exampleTarget({ path, example }: Route): string {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(example.path?.[name] ?? name));
  const query = new URLSearchParams(example.query).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** Returns the command that uses the signing shell client of `examples/`. */
function signedCommand(route: Route): string {
  const { method, example } = route;
  const client = `sh examples/signed-client/client.sh ${method} '${exampleTarget(route)}'`;
  return example.body === undefined ? client : `printf '%s' ${quoted(example.body)} |\n  ${client} -`;
}

function quoted(body: object): string {
  return `'${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`;
}

function curlOf(route: Route): string {
  const { method, example, credential, byProgram } = route;
  if (credential === 'signature') return signedCommand(route);
  const lines = [`curl "$LASTRO_URL${exampleTarget(route)}"`];
  if (method !== 'GET') lines.push(`-X ${method}`);
  if (byProgram !== undefined) lines.push(`-H "Cookie: ${cookieName}=$COOKIE"`, '-H "Origin: $LASTRO_URL"');
  else if (credentials[credential] !== '') lines.push(`-H "${credentials[credential]}"`);
  if (example.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(example.body)}`);
  }
  return lines.join(' \\\n  ');
}

function errorsOf(route: Route): Record<number, string | undefined> {
  // Without any other input, the idempotency key can still be invalid, or the body not JSON.
  const input = Object.keys(route.parameters).length > 0 || hasBody(route);
  const { credential } = route;
  return {
    ...(input ? { 400: undefined } : {}),
    ...(credential === 'none' ? {} : { 401: lacksCredential(credential) }),
    ...(credential === 'session' && route.unconfirmed !== true ? { 403: unconfirmed } : {}),
    ...(route.scope === undefined ? {} : { 403: lacksScope(credential, route.scope) }),
    ...(isReplayed(route) ? { 409: hasBody(route) ? usedKey : stillRunning } : {}),
    ...(hasBody(route) ? bodyErrors(route) : {}),
    // DELETE needs no body; one that is sent is received as on any path.
    ...(route.method === 'DELETE' ? { 413: undefined, 415: undefined } : {}),
    429: route.csv === undefined ? undefined : tooManyFiles,
    500: undefined,
    503: undefined,
    ...route.errors,
  };
}

function lacksCredential(credential: keyof typeof credentialNames): string {
  const code = credential === 'trader' ? ' (code CAAS_AUTH_001)' : '';
  return `The ${credentialNames[credential]} is missing, invalid or expired${code}.`;
}

function lacksScope(credential: Route['credential'], scope: string): string {
  return `The ${credential === 'trader' ? 'credential' : 'key'} lacks the scope \`${scope}\`.`;
}

function bodyErrors({ bodyLimit, textBodies = [] }: Route): Record<number, string | undefined> {
  const types = textBodies.map(({ profile }) => `\`${textTypeOf(profile)}\``).join(' nor ');
  return {
    413:
      bodyLimit === undefined
        ? undefined
        : `The body is larger than ${bodyLimit / 1_048_576} MiB${packed(textBodies)}.`,
    415:
      textBodies.length === 0
        ? undefined
        : `The body is neither JSON nor ${types}, or its compressed content is not such a text.`,
  };
}

function packed(textBodies: readonly TextBody[]): string {
  return textBodies.length === 0
    ? ''
    : ` as JSON or ${largestText / 1_048_576} MiB as text, or a compressed text is larger than ${maxUnpackedBytes / 1_048_576} MiB when decompressed`;
}

const unconfirmed = 'The e-mail of the account is not confirmed.';
const usedKey = 'The idempotency key was used for another request, or its request is still running.';
const stillRunning = 'The same signed request is still running.';
const tooManyFiles =
  'The limit of the window is reached, or the caller is receiving two CSV files already: wait for the time in `Retry-After`.';
const credentialNames = {
  apiKey: 'API key',
  developerKey: 'developer key',
  session: 'session',
  signature: 'signature',
  trader: 'access token',
} as const;
