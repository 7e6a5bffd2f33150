import { afterAll, describe, expect, test } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openTestPlatform } from '../kit/platform.js';
import { callerOf } from './http.js';

const platform = await openTestPlatform({ DEMO: 'true', RATE_LIMIT_ACCOUNTS: '100000' });
const caller = callerOf(platform);
const credentials = platform.demo();

afterAll(() => platform.close());

const logIn = async (pair: { readonly email: string; readonly password: string }) => {
  const { status, body } = await caller.post('/v1/emissoes/auth/login', pair);
  expect(status).toBe(200);
  const { accessToken, user } = body as { accessToken: string; user: Record<string, unknown> };
  return { user, headers: { authorization: `Bearer ${accessToken}` } };
};

describe('the demo credentials', () => {
  test('are for their owner only, and each of them works', async () => {
    expect((await stat(join(platform.dataDir, 'demo-credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await logIn(credentials.account)).user).toMatchObject({ ownerType: 'EMISSOES_USER' });
    expect((await logIn(credentials.portalAccount)).user).toMatchObject({ ownerType: 'AGENT_USER', company: null });
    const headers = { 'x-api-key': credentials.publicApiKey };
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, headers)).status).toBe(200);
  });
});

describe('the watchlist in the graph', () => {
  test('joins accounts and issuances both ways, and survives an operation that does not exist', async () => {
    const { headers } = await logIn(credentials.account);
    const listed = await caller.graphql('{ operations(first: 2) { nodes { ticker name } } }', {}, headers);
    const { nodes } = (listed.body as { data: { operations: { nodes: { ticker: string; name: string }[] } } }).data
      .operations;
    const [first, other] = nodes;
    const follow = 'mutation ($t: String!) { followOperation(ticker: $t) { id ticker name followedByMe } }';

    const followed = await caller.graphql(follow, { t: first?.ticker.toLowerCase() }, headers);
    expect(followed.body).toEqual({
      data: { followOperation: { ...first, id: expect.any(String), ticker: expect.any(String), followedByMe: true } },
    });
    const ghost = await caller.graphql(follow, { t: 'GHOST-99' }, headers);
    expect((ghost.body as { data: unknown }).data).toEqual({ followOperation: null });

    const list = await caller.graphql('{ followedOperations { name slug } }', {}, headers);
    const { followedOperations } = (list.body as { data: { followedOperations: unknown[] } }).data;
    expect(followedOperations).toEqual([null, { name: first?.name, slug: expect.any(String) }]);

    const back = await caller.graphql(
      'query ($a: String!, $b: String!) { a: operation(ticker: $a) { followedByMe } b: operation(ticker: $b) { followedByMe } }',
      { a: first?.ticker, b: other?.ticker },
      headers,
    );
    expect(back.body).toEqual({ data: { a: { followedByMe: true }, b: { followedByMe: false } } });
  });
});
