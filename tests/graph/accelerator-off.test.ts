import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { connect } from '../mcp/kit.js';
import { plenty } from '../trading/kit.js';

/* Apollo Gateway alone. `GRAPH_ACCELERATOR=off npm test -- tests/rest tests/mcp tests/graph` runs those tests this way. */

let platform: TestPlatform;
let apiKey: string;
let agent: Client;

beforeAll(async () => {
  platform = await openTestPlatform({ ...plenty, DEMO: 'true', GRAPH_ACCELERATOR: 'off' }, { background: false });
  const keys: unknown = JSON.parse(await readFile(join(platform.dataDir, 'demo-credentials.json'), 'utf8'));
  apiKey = (keys as { publicApiKey: string }).publicApiKey;
  agent = await connect(platform.url, { 'X-API-Key': apiKey });
});
afterAll(async () => {
  await agent.close();
  await platform.close();
});

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${platform.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const graphql = async (query: string, headers: Record<string, string> = {}): Promise<unknown> =>
  (await post('/graphql', { query }, headers)).json();

test('GraphQL joins subgraphs, and says what is wrong in the same form', async () => {
  expect(
    await graphql('{ operation(ticker: "CRI-AURORA") { ticker patrimony { id name } } }', { 'x-api-key': apiKey }),
  ).toEqual({
    data: {
      operation: {
        ticker: 'CRI-AURORA',
        patrimony: { id: expect.any(String) as unknown, name: expect.any(String) as unknown },
      },
    },
  });
  expect(await graphql('{ me { id } }')).toMatchObject({
    errors: [
      {
        path: ['me'],
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'UNAUTHORIZED', statusCode: 401, requestId: expect.any(String) as unknown },
      },
    ],
  });
});

test('REST reads, writes once for a key, and refuses the key for another body', async () => {
  const read = await fetch(`${platform.url}/v1/emissoes/operacoes/CRI-AURORA`, { headers: { 'x-api-key': apiKey } });
  expect(await read.json()).toMatchObject({ tipo: 'CRI', seriesCount: 3 });
  const missing = await fetch(`${platform.url}/v1/emissoes/operacoes/NADA`, { headers: { 'x-api-key': apiKey } });
  expect(missing.status).toBe(404);
  const register = (email: string) =>
    post(
      '/v1/emissoes/auth/register',
      { name: 'Ana', email, password: 'segredo123', company: 'Casa' },
      { 'x-idempotency-key': 'once' },
    );
  const [first, second] = [await register('ana@casa.example'), await register('ana@casa.example')];
  expect([first.status, second.headers.get('x-idempotent-replayed')]).toEqual([200, 'true']);
  expect(await second.text()).toBe(await first.text());
  expect((await register('bia@casa.example')).status).toBe(409);
});

test('agents call tools', async () => {
  const result = await agent.callTool({ name: 'comparar_operacoes', arguments: { tickers: ['CRI-AURORA'] } });
  expect([result.isError ?? false, JSON.stringify(result.content)]).toEqual([
    false,
    expect.stringContaining('CRI-AURORA'),
  ]);
});
