import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { restPlugin } from '../../rest/plugin.js';
import type { Route } from '../../rest/route.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { createTestEdge, goodKey, open } from './edge-kit.js';
import { fakeGraph, plainRoute } from './fake-graph.js';
import { operationTexts } from './operation-texts.js';

interface Sent {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly vary: string | undefined;
  readonly bytes: number;
  /** As it reads once it is expanded. */
  readonly text: string;
}

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks as a plain client does, which expands nothing by itself. */
async function ask(
  url: string,
  accept: string | undefined,
  { method = 'GET', body, headers }: Ask = {},
): Promise<Sent> {
  const { message, bytes } = await new Promise<{ message: Pick<Sent, 'status' | 'encoding' | 'vary'>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers: { ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { 'content-encoding': encoding, vary } = response.headers;
          resolve({ message: { status: response.statusCode, encoding, vary }, bytes: Buffer.concat(chunks) });
        });
      });
      sent.on('error', reject);
      if (accept !== undefined) sent.setHeader('accept-encoding', accept);
      if (body !== undefined) sent.setHeader('content-type', 'application/json');
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    },
  );
  return { ...message, bytes: bytes.length, text: expanded(bytes, message.encoding).toString('utf8') };
}

function expanded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

const route = { ...plainRoute, path: '/things' } as const;
const size = { description: 'characters', schema: { type: 'string' } } as const;
const routes: readonly Route[] = [
  { ...route, operation: 'read', parameters: { size } },
  { ...route, method: 'POST', operation: 'write', parameters: { size: { description: 'characters' } } },
];

describe('REST', () => {
  let app: FastifyInstance;
  let url: string;
  const key = { 'x-api-key': goodKey };

  beforeAll(async () => {
    const text = ({ size: wanted }: { size?: unknown }) => ({ text: 'x'.repeat(Number(wanted)) });
    const graph = fakeGraph(
      'type Query { read(size: Int!): Thing } type Mutation { write(size: Int!): Thing } type Thing { text: String! }',
      { read: text, write: text },
    );
    ({ app } = createTestEdge({ allowedOrigins: ['https://front.example'] }));
    restPlugin(app, { graph, routes, texts: operationTexts(graph.apiSchema) });
    url = `${await open(app)}/things`;
  });
  afterAll(() => app.close());

  test.each([
    ['gzip, deflate, br', 'br'],
    ['deflate', undefined],
    [undefined, undefined],
  ])('a large answer for a caller that takes %s is sent as %s', async (accept, encoding) => {
    const sent = await ask(`${url}?size=5000`, accept, { headers: key });
    expect([sent.status, sent.encoding, sent.text]).toEqual([200, encoding, `{"text":"${'x'.repeat(5000)}"}`]);
    expect(sent.bytes < 500).toBe(encoding !== undefined);
    // Whatever was sent: another caller would have got another form.
    expect(sent.vary).toBe('Origin, accept-encoding');
  });

  test('a very large answer comes whole', async () => {
    const sent = await ask(`${url}?size=3000000`, 'gzip', { headers: key });
    expect([sent.encoding, sent.text.length]).toEqual(['gzip', 3_000_011]);
  });

  test('a small answer, and an error, are sent as they are', async () => {
    for (const query of ['?size=1000', '']) {
      const sent = await ask(url + query, 'gzip, br', { headers: key });
      expect([sent.encoding, sent.vary]).toEqual([undefined, 'Origin']);
    }
  });

  test('what a write answers is never compressed, since it may hold a secret', async () => {
    const sent = await ask(url, 'gzip, br', { method: 'POST', body: { size: 5000 }, headers: key });
    expect([sent.status, sent.encoding, sent.bytes]).toEqual([200, undefined, 5011]);
  });
});

describe('the house', () => {
  let platform: TestPlatform;
  const accept = 'gzip, deflate, br';

  beforeAll(async () => {
    platform = await openTestPlatform({ DEMO: 'true', RATE_LIMIT_ACCOUNTS: '100000' });
  });
  afterAll(() => platform.close());

  const key = () => ({ 'x-api-key': platform.demo().publicApiKey });
  const graphql = (query: string) =>
    ask(`${platform.url}/graphql`, accept, { method: 'POST', body: { query }, headers: key() });

  test('compresses a large answer of a GraphQL query', async () => {
    const sent = await graphql('{ operations(first: 20) { nodes { id ticker name slug href status issuer } } }');
    expect([sent.status, sent.encoding]).toEqual([200, 'br']);
    expect(sent.text).toMatch(/^\{"data":\{"operations":/);
  });

  test('never compresses what a GraphQL mutation answers, however large', async () => {
    const { email, password } = platform.demo().account;
    const login = `login(email: ${JSON.stringify(email)}, password: ${JSON.stringify(password)}) { accessToken user { id } }`;
    const sent = await graphql(`mutation { ${'abcdefghij'.replace(/./g, (alias) => `${alias}: ${login} `)} }`);
    expect(sent.text).toMatch(/"j":\{"accessToken":"/);
    expect([sent.encoding, sent.bytes > 2048]).toEqual([undefined, true]);
  });

  test('compresses what agents read, and the catalogue of tools', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listar_operacoes', arguments: {} } };
    const headers = { ...key(), accept: 'application/json, text/event-stream' };
    const answer = await ask(`${platform.url}/v1/emissoes/mcp`, accept, { method: 'POST', body: call, headers });
    expect([answer.status, answer.encoding, answer.text.startsWith('{"')]).toEqual([201, 'br', true]);
    expect((await ask(`${platform.url}/v1/emissoes/mcp/tools`, accept)).encoding).toBe('br');
  });
});
