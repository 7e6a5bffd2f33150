import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createClient, type ClientOptions, type LastroClient } from '../../packages/sdk/src/index.js';

/** A file of clients/vectors, in the form that its README describes. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export function vectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../clients/vectors/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** A request as a server on loopback got it. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A server on loopback that responds as the function says. */
export async function openServer(respond: (response: ServerResponse, seen: Seen) => void): Promise<TestServer> {
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

export type Method = (input?: unknown, options?: unknown) => Promise<unknown>;

/** The method of an operation, by its id. */
export function methodOf(client: LastroClient, operationId: string): Method {
  const { connection, ...groups } = client;
  if (connection.origin === '') throw new Error('The client has no address');
  const found = Object.values(groups).flatMap((group) =>
    Object.entries(group).filter(([name]) => name === operationId),
  );
  const [[, method] = []] = found;
  if (found.length !== 1 || typeof method !== 'function') throw new Error(`${operationId} has ${found.length} methods`);
  return method as Method;
}
