import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createClient, type ClientOptions, type LastroClient } from '../../../clients/typescript/src/index.js';
import type { JsonSchema } from '../../../gateway/graph/json-schema/json-schema.js';
import { inputOf, type OpenApi } from '../../rest/openapi-kit.js';

/** A file of clients/vectors, in the form that its README describes. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../clients/vectors/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** A request as a server on loopback got it. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

/** A server on loopback that responds as the function says. */
export async function openServer(respond: (response: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      const one = {
        method: request.method ?? '',
        url,
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: Date.now(),
      };
      seen.push(one);
      respond(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

interface SignatureVectors {
  readonly privateKey: string;
}

/** A client with every credential, none of which is one of a program. */
export function clientOf(baseUrl: string, more: Partial<ClientOptions> = {}): LastroClient {
  return createClient({
    baseUrl,
    apiKey: 'svcpub_test.secret',
    developerKey: () => Promise.resolve('svc_dev_test'),
    session: () => 'session-token',
    originator: {
      clientId: '0190a000-0000-7000-8000-000000000009',
      privateKey: vectors<SignatureVectors>('signatures').privateKey,
    },
    trading: { apiKey: 'svc_trd_test', secretKey: 'svc_trd_secret_test' },
    retry: { backoffMs: 1 },
    ...more,
  });
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
  readonly schema?: JsonSchema;
}

/** An operation of the OpenAPI text with its place. */
export interface Documented {
  readonly path: string;
  readonly method: string;
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const openApi = JSON.parse(readFileSync(new URL('../../../rest/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Documented>>;
  components: OpenApi['components'];
};

/** What a program can call: all but what only the cookie of a browser opens. */
export const operations = Object.entries(openApi.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...inputOf(openApi, one),
      path,
      method: method.toUpperCase(),
    })),
  )
  .filter(({ security }) => !security.some((schemes) => 'browserSession' in schemes));

type Values = Readonly<Record<string, unknown>>;
type Calls = Readonly<Record<string, (path: string, init: object) => Promise<unknown>>>;

/** Parts the arguments of an operation into those of the path, the query and the body, as the client takes them. */
function initOf({ parameters, requestBody }: Documented, values: Values): object {
  const own = requestBody?.content['application/json']?.schema.properties;
  const placeOf = (name: string) =>
    own !== undefined && name in own ? 'body' : (parameters.find((one) => one.name === name)?.in ?? 'body');
  const [path, query, body] = ['path', 'query', 'body'].map((place) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => placeOf(name) === place)),
  );
  const whole = own === undefined ? values['body'] : body;
  return { params: { path, query }, ...(requestBody === undefined ? {} : { body: whole }) };
}

function documented(operationId: string): Documented {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`There is no operation ${operationId}`);
  return found;
}

export async function call(client: LastroClient, operationId: string, values: Values = {}): Promise<unknown> {
  const operation = documented(operationId);
  const method = (client as unknown as Calls)[operation.method];
  return method?.(operation.path, initOf(operation, values));
}

export function items(client: LastroClient, operationId: string, values: Values): AsyncIterable<unknown> {
  const operation = documented(operationId);
  return client.items(operation.path as '/public/tranches', initOf(operation, values));
}
