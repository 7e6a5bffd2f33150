import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleTarget } from '../../rest/openapi/document.js';
import type { Route } from '../../rest/route.js';
import { routes } from '../../rest/routes.js';
import { callerOf, type Caller, type Reply } from '../accounts/http.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { addCredit, addEstate, addInstalment, addSeries } from '../tokenization/series/kit.js';
import { answerChecks, answerOf, type OpenApi, type Operation } from './openapi-kit.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const committed = JSON.parse(readFileSync(join(root, 'rest/openapi.json'), 'utf8')) as OpenApi;
const checkOf = answerChecks(committed);

let platform: TestPlatform;
let caller: Caller;
let apiKey: Record<string, string>;
let developerKey: Record<string, string>;
let pair: { readonly apiKey: string; readonly secretKey: string };

beforeAll(async () => {
  platform = await openTestPlatform({
    DEMO: 'true',
    PUBLIC_URL: 'https://api.example.com',
    ...rateLimitVariables(100_000),
  });
  caller = callerOf(platform);
  const file = readFileSync(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  const keys = JSON.parse(file) as {
    publicApiKey: string;
    developerApiKey: string;
    trading: { apiKey: string; secretKey: string };
  };
  apiKey = { 'x-api-key': keys.publicApiKey };
  developerKey = { 'x-api-key': keys.developerApiKey };
  pair = keys.trading;
});
afterAll(() => platform.close());

const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

function operationOf({ method, path }: Pick<Route, 'method' | 'path'>): Operation {
  const operation = committed.paths[templateOf(path)]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the text`);
  return operation;
}

/** Holds an answer against what the text says of its status: body, headers, and nothing beside. */
function expectDocumented(operation: Operation, { status, headers, body }: Reply): void {
  const answer = answerOf(committed, operation, status);
  for (const name of Object.keys(answer.headers ?? {})) {
    const notAlways = [
      'X-Idempotent-Replayed',
      'X-Ignored-Parameters',
      'Retry-After',
      'Content-Disposition',
      'Surrogate-Key',
    ];
    if (!notAlways.includes(name)) expect([name, headers.get(name)]).not.toContain(null);
  }
  const schema = answer.content?.['application/json']?.schema;
  if (schema === undefined) {
    expect(body).toBeUndefined();
    return;
  }
  const check = checkOf(schema);
  check(body);
  expect(check.errors ?? []).toEqual([]);
}

function routeOf(operation: string): Route {
  const route = routes.find((one) => one.operation === operation);
  if (route === undefined) throw new Error(`No route ${operation}`);
  return route;
}

/** The query of an example, with what is known in the place of values that it has. */
function knownOf(
  query: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, known[name] ?? value]));
}

/** Sends the example of a route, with what no text can know in its place. */
async function sendExample(
  operation: string,
  credential: Record<string, string> = {},
  known: Record<string, string> = {},
) {
  const route = routeOf(operation);
  const example = {
    ...route.example,
    ...(route.example.body === undefined ? {} : { body: { ...route.example.body, ...known } }),
    ...(route.example.path === undefined ? {} : { path: { ...route.example.path, ...known } }),
    ...(route.example.query === undefined ? {} : { query: knownOf(route.example.query, known) }),
  };
  const reply = await caller.send(route.method, exampleTarget({ ...route, example }), example.body, credential);
  expect([operation, reply.status]).toEqual([operation, route.status]);
  expectDocumented(operationOf(route), reply);
  return reply.body as Record<string, unknown>;
}

describe('every example of the text', () => {
  test('of accounts and keys is answered as documented', async () => {
    const email = String(routeOf('register').example.body?.['email']);
    await sendExample('register');
    await sendExample('resendVerification');
    await sendExample('verifyEmail', {}, { token: await caller.tokenFor(email) });
    const { accessToken } = await sendExample('login');
    const session = { authorization: `Bearer ${String(accessToken)}` };
    await sendExample('me', session);
    const { id } = await sendExample('createApiKey', session);
    await sendExample('apiKeys', session);
    await sendExample('revokeApiKey', session, { id: String(id) });
    await sendExample('apiKeys', session);
    await sendExample('forgotPassword');
    await sendExample('resetPassword', {}, { token: await caller.tokenFor(email) });
    const again = await caller.post('/v1/emissoes/auth/login', {
      email,
      password: routeOf('resetPassword').example.body?.['password'],
    });
    await sendExample('logout', { authorization: `Bearer ${(again.body as { accessToken: string }).accessToken}` });
  });

  test.each(routes.filter(({ tag }) => tag === 'Operation data').map(({ operation }) => operation))(
    'of %s is answered as documented',
    async (operation) => {
      await sendExample(operation, apiKey);
    },
  );

  test('of tokenization is answered as documented', async () => {
    const { manager } = platform.infrastructure.dataSource;
    const estate = await addEstate(manager, 'EXAMPLE');
    const series = await addSeries(manager, estate, 'EXAMPLE-1');
    await addInstalment(manager, series, 1, '2090-12-01', '100');
    const known = { ticker: 'EXAMPLE-1', id: await addCredit(manager, estate, 'EXAMPLE-CCB', ['2090-12-01']) };
    for (const { operation } of routes.filter(({ tag }) => tag === 'Tokenization')) {
      await sendExample(operation, {}, known);
    }
  });

  test('of webhooks is answered as documented', async () => {
    const { id } = await sendExample('createWebhook', developerKey);
    const known = { id: String(id) };
    await sendExample('webhooks', developerKey);
    await sendExample('webhook', developerKey, known);
    await sendExample('rotateWebhookSecret', developerKey, known);
    await sendExample('activateWebhook', developerKey, known);
    const { id: deliveryId } = await sendExample('testWebhook', developerKey, known);
    await sendExample('webhookDeliveries', developerKey, known);
    await sendExample('redeliverWebhook', developerKey, { ...known, deliveryId: String(deliveryId) });
    await sendExample('replayWebhook', developerKey, known);
    await sendExample('updateWebhook', developerKey, known);
    await sendExample('deleteWebhook', developerKey, known);
  });

  test('of trading is answered as documented', async () => {
    const { refreshToken } = await sendExample('tradingLogin', {}, pair);
    const { accessToken } = await sendExample('refreshTradingTokens', {}, { refreshToken: String(refreshToken) });
    const trader = { authorization: `Bearer ${String(accessToken)}` };
    await sendExample('createProfile', trader, { document: '39053344705' });
    await sendExample('fetchProfiles', trader);
    for (const operation of ['walletBalances', 'marketList', 'ticker', 'historicalPrices', 'poolsBalances']) {
      await sendExample(operation, trader);
    }
    const filled = await sendExample('createOrder', trader);
    await sendExample('fetchOrder', trader, { orderId: String(filled['orderId']) });
    await sendExample('fetchOrders', trader);
    const waiting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.001', price: '1000.00' };
    const placed = await caller.post('/v1/orders/createOrder', waiting, trader);
    expect(placed).toMatchObject({ status: 201, body: { status: 'PENDING' } });
    expectDocumented(operationOf(routeOf('createOrder')), placed);
    await sendExample('cancelOrder', trader, { orderId: (placed.body as { orderId: string }).orderId });
    const { quoteId } = await sendExample('createQuote', trader);
    await sendExample('fetchQuote', trader, { quoteId: String(quoteId) });
    await sendExample('executeQuote', trader, { quoteId: String(quoteId) });
    await sendExample('fetchDepositAddress', trader);
    await sendExample('withdraw', trader);
  });

  test('of the agent endpoint is answered as documented', async () => {
    const post = operationOf({ method: 'POST', path: '/v1/emissoes/mcp' });
    const example = post.requestBody?.content['application/json'].example;
    const accept = { accept: 'application/json, text/event-stream' };
    const answer = await caller.post('/v1/emissoes/mcp', example, { ...apiKey, ...accept });
    expect(answer).toMatchObject({ status: 201, body: { jsonrpc: '2.0', id: 1 } });
    const tools = await caller.send('GET', '/v1/emissoes/mcp/tools');
    expect(tools.status).toBe(200);
    expect(Object.keys((tools.body as { tools: object[] }).tools[0] ?? {}).sort()).toEqual([
      'annotations',
      'description',
      'inputSchema',
      'name',
      'outputSchema',
      'title',
    ]);
  });
});

describe('errors', () => {
  test('of a missing or bad credential are documented for every path that wants one', async () => {
    for (const route of routes.filter(({ credential }) => credential !== 'none')) {
      for (const headers of [{}, { 'x-api-key': 'svcpub_x.y', authorization: 'Bearer x' }]) {
        const reply = await caller.send(route.method, exampleTarget(route), route.example.body, headers);
        expect([route.operation, reply.status]).toEqual([route.operation, 401]);
        expectDocumented(operationOf(route), reply);
      }
    }
  });

  test('of a key without the scope come before those of the request, on every path that needs one', async () => {
    const session = await caller.member('scopes@example.com');
    const keyWith = async (scope: string) => {
      const text = 'mutation ($s: [String!]!) { createDeveloperKey(name: "k", scopes: $s) { key } }';
      const { body } = await caller.graphql(text, { s: [scope] }, session);
      return { 'x-api-key': (body as { data: { createDeveloperKey: { key: string } } }).data.createDeveloperKey.key };
    };
    const [contracts, webhooks] = [await keyWith('contracts:read'), await keyWith('webhooks:read')];
    for (const route of routes.filter(({ credential }) => credential === 'developerKey')) {
      const key = route.scope === 'contracts:read' ? webhooks : contracts;
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : '{';
      const reply = await caller.send(route.method, `${exampleTarget(route)}?limit=x`, body, key);
      expect([route.operation, reply.status]).toEqual([route.operation, 403]);
      expect(reply.body).toMatchObject({ message: expect.stringContaining(String(route.scope)) });
      expectDocumented(operationOf(route), reply);
    }
  });

  test('of an empty body name every field, on every path that takes one', async () => {
    const session = await caller.member('faults@example.com');
    const { accessToken } = (await caller.post('/v1/auth/login', pair)).body as { accessToken: string };
    const trader = { authorization: `Bearer ${accessToken}` };
    const needed = (route: Route) => operationOf(route).requestBody?.content['application/json'].schema.required ?? [];
    // Requests that are signed, or come from a browser, are refused in tests of their own, tests/credit-assignment.
    const bySessionOrKey = routes.filter((one) => one.credential !== 'signature' && one.byProgram === undefined);
    for (const route of bySessionOrKey.filter((one) => needed(one).length > 0)) {
      const headers = { none: {}, apiKey, developerKey, session, signature: {}, trader }[route.credential];
      const reply = await caller.send(route.method, route.path, {}, headers);
      expect(reply.status).toBe(400);
      expectDocumented(operationOf(route), reply);
      const { details } = reply.body as { details: { path: string }[] };
      expect(details.map(({ path }) => path).sort()).toEqual([...needed(route)].sort());
      for (const [body, status] of [
        ['{', 400],
        [{ name: 'x'.repeat(route.bodyLimit ?? 1_100_000) }, 413],
      ] as const) {
        const refused = await caller.send(route.method, route.path, body, headers);
        expect(refused.status).toBe(status);
        expectDocumented(operationOf(route), refused);
      }
      const text = await caller.send(route.method, route.path, undefined, { ...headers, 'content-type': 'text/plain' });
      expect(text.status).toBe(415);
    }
  });

  test.each([
    ['operationDetail', 'no-such', {}, 404],
    ['reportMonths', 'no-such', {}, 404],
    ['managementReport', 'no-such', {}, 404],
    ['managementReport', 'CRI-AURORA', { month: '1999-01' }, 404],
    ['managementReport', 'CRI-AURORA', { month: '2026-13' }, 400],
    ['inventory', 'no-such', {}, 404],
    ['inventory', 'CRI-AURORA', { page: '0' }, 400],
    ['inventory', 'CRI-AURORA', { limit: '101' }, 400],
    ['inventory', 'CRI-AURORA', { limit: 'all', page: '1.5' }, 400],
    ['trancheDetails', 'no-such', {}, 404],
    ['paymentSchedule', 'no-such', {}, 404],
    ['trancheList', '', { status: 'OPEN', limit: '0' }, 400],
    ['trancheList', '', { nextToken: 'x' }, 400],
    ['assetList', '', { page: '0', limit: '101', patrimonyId: 'x', status: 'LATE', type: 'CAR' }, 400],
    ['assetSummary', '', { patrimonyId: '00000000-0000-7000-8000-000000000000' }, 404],
    ['assetSummary', '', { patrimonyId: 'x' }, 400],
  ])('%s of %s with %j is documented', async (operation, ticker, query, status) => {
    const route = { ...routeOf(operation), example: { path: { ticker }, query } };
    const reply = await caller.send('GET', exampleTarget(route), undefined, apiKey);
    expect(reply.status).toBe(status);
    expectDocumented(operationOf(route), reply);
    if (status === 400) {
      const { details } = reply.body as { details: { path: string }[] };
      expect(details.map(({ path }) => path).sort()).toEqual(Object.keys(query).sort());
    }
  });
});

describe('the text', () => {
  test('has the headers that arguments come in as parameters, and not in the body', () => {
    for (const route of routes.filter(({ credential }) => credential === 'trader')) {
      const { parameters, requestBody } = operationOf(route);
      const inHeaders = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
      const said = Object.values(route.parameters).flatMap(({ header }) => header ?? []);
      expect(said).toContain('X-Synthetic');
      expect([...inHeaders].sort()).toEqual([...said].sort());
      const body = Object.keys(requestBody?.content['application/json'].schema.properties ?? {});
      expect(body.filter((name) => route.parameters[name]?.header !== undefined)).toEqual([]);
    }
  });

  test("is valid and clean by Redocly's recommended rules", () => {
    const lint = spawnSync(
      join(root, 'node_modules/.bin/redocly'),
      ['lint', 'rest/openapi.json', '--skip-rule', 'no-server-example.com', '--format', 'json'],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect(JSON.parse(lint.stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  });

  test('is what the running house serves', async () => {
    const served = await caller.send('GET', '/openapi.json');
    const text = JSON.stringify({ info: committed.info, servers: committed.servers });
    const own = JSON.parse(text.replaceAll('http://localhost:4000', 'https://api.example.com')) as object;
    expect(served.body).toEqual({ ...committed, ...own });
  });

  test('names every header of the contract, every scheme and an example for each operation', () => {
    expect(Object.keys(committed.components.headers)).toEqual(
      expect.arrayContaining([
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-Request-Id',
        'X-Idempotent-Replayed',
        'Retry-After',
      ]),
    );
    expect(Object.keys(committed.components.securitySchemes).sort()).toEqual([
      'accessToken',
      'apiKey',
      'apiKeyBearer',
      'browserSession',
      'clientId',
      'developerKey',
      'session',
      'signature',
      'timestamp',
    ]);
    for (const operation of Object.values(committed.paths).flatMap((path) => Object.values(path))) {
      expect(operation['x-codeSamples'][0]?.source).toMatch(/curl|client\.sh/);
      for (const status of Object.keys(operation.responses)) {
        expect(Object.keys(answerOf(committed, operation, Number(status)).headers ?? {})).toContain(
          'X-RateLimit-Reset',
        );
      }
    }
  });
});
