import { afterAll, expect, test } from '@jest/globals';
import { callerOf } from '../accounts/http.js';
import { connect, openDemoPlatform } from '../mcp/kit.js';

// Apollo Gateway alone. `GRAPH_ACCELERATOR=off npm test -- tests/rest tests/mcp tests/graph` runs those tests this way.
const { platform, key } = await openDemoPlatform({ GRAPH_ACCELERATOR: 'off' });
const caller = callerOf(platform);
const agent = await connect(platform.url, key);
afterAll(async () => {
  await agent.close();
  await platform.close();
});

const graphql = async (query: string, headers?: Record<string, string>) =>
  (await caller.graphql(query, {}, headers)).body;

test('GraphQL joins subgraphs, and says what is wrong in the same form', async () => {
  expect(await graphql('{ operation(ticker: "CRI-AURORA") { ticker patrimony { id name } } }', key)).toEqual({
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
  const read = (ticker: string) => caller.send('GET', `/v1/emissoes/operacoes/${ticker}`, undefined, key);
  expect((await read('CRI-AURORA')).body).toMatchObject({ tipo: 'CRI', seriesCount: 3 });
  expect((await read('NADA')).status).toBe(404);
  const register = (email: string) =>
    caller.post(
      '/v1/emissoes/auth/register',
      { name: 'Ana', email, password: 'segredo123', company: 'Casa' },
      { 'x-idempotency-key': 'once' },
    );
  const [first, second] = [await register('ana@casa.example'), await register('ana@casa.example')];
  expect([first.status, second.headers.get('x-idempotent-replayed')]).toEqual([200, 'true']);
  expect(second.body).toEqual(first.body);
  expect((await register('bia@casa.example')).status).toBe(409);
});

test('agents call tools', async () => {
  const result = await agent.callTool({ name: 'comparar_operacoes', arguments: { tickers: ['CRI-AURORA'] } });
  expect([result.isError ?? false, JSON.stringify(result.content)]).toEqual([
    false,
    expect.stringContaining('CRI-AURORA'),
  ]);
});
