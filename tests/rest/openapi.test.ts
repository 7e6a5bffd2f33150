import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { buildSchema, isNonNullType, isObjectType, Kind, parse, type DocumentNode } from 'graphql';
import { exampleTarget } from '../../rest/openapi/document.js';
import { hasBody, pathParameters, rowsOf, type Route } from '../../rest/route.js';
import { routes } from '../../rest/routes.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { eventNames } from '../../subgraphs/webhooks/events/event.js';
import { addCredit, addEstate, addInstalment, addSeries } from '../tokenization/series/kit.js';
import { outside, raw, valueOf, wellFormed } from './input-values.js';
import { answerOf, inputOf, type Operation } from './openapi-kit.js';
import { sendSigned } from '../credit-assignment/signing-kit.js';

import { committedText as text, openResponses, type Fields, type Sent } from './response-kit.js';
import { announceTooMuch, openLimited, refusedRequests, slowSigner, strangers, targetOf } from './response-refusals.js';
import {
  importSparse,
  readContracts,
  readOperations,
  readTokenization,
  useAccounts,
  useAgents,
  useWebhooks,
} from './response-scenes.js';
import { useCreditAssignment } from './response-scenes-credit.js';
import { useTrading } from './response-scenes-trading.js';

/*
 * The OpenAPI text held against the running house: every response is of its schema, with all that can be there and with all absent that can be; what a
 * request may hold is refused for its form by nobody, and what lies just outside is.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

const kit = await openResponses({ PUBLIC_URL: 'https://api.example.com' });
const limited = await openLimited(kit);
await importSparse(kit);
afterEach(() => {
  expect(kit.takeIssues()).toEqual([]);
});
afterAll(() => kit.close());

describe('every response is as the text says', () => {
  // First, while the series that were just imported have no price.
  test('of series, estates and assets', () => readTokenization(kit));
  test('of operations, their reports and inventories', () => readOperations(kit));
  test('of token contracts', () => readContracts(kit));
  test('of webhooks and their deliveries', () => useWebhooks(kit));
  test('of accounts and keys', () => useAccounts(kit));
  test('of credit assignment', () => useCreditAssignment(kit));
  test('of trading', () => useTrading(kit));
  test('of agents', () => useAgents(kit));
});

describe('every example of the text', () => {
  test('of accounts and keys is answered as documented', async () => {
    const email = String(routeOf('register').example.body?.['email']);
    await sendExample('register');
    await sendExample('resendVerification');
    await sendExample('verifyEmail', 'none', { token: await kit.caller.tokenFor(email) });
    const { accessToken } = await sendExample('login');
    const session = { authorization: `Bearer ${String(accessToken)}` };
    await sendExample('me', session);
    const { id } = await sendExample('createApiKey', session);
    await sendExample('apiKeys', session);
    await sendExample('revokeApiKey', session, { id: String(id) });
    await sendExample('apiKeys', session);
    await sendExample('forgotPassword');
    await sendExample('resetPassword', 'none', { token: await kit.caller.tokenFor(email) });
    const again = await kit.caller.post('/v1/emissoes/auth/login', {
      email,
      password: routeOf('resetPassword').example.body?.['password'],
    });
    await sendExample('logout', { authorization: `Bearer ${(again.body as { accessToken: string }).accessToken}` });
  });

  test.each(routes.filter(({ tag }) => tag === 'Operation data').map(({ operation }) => operation))(
    'of %s is answered as documented',
    async (operation) => {
      await sendExample(operation, 'apiKey');
    },
  );

  test('of tokenization is answered as documented', async () => {
    const { manager } = kit.platform.infrastructure.dataSource;
    const estate = await addEstate(manager, 'EXAMPLE');
    const series = await addSeries(manager, estate, 'EXAMPLE-1');
    await addInstalment(manager, series, 1, '2090-12-01', '100');
    const known = { ticker: 'EXAMPLE-1', id: await addCredit(manager, estate, 'EXAMPLE-CCB', ['2090-12-01']) };
    for (const { operation } of routes.filter(({ tag }) => tag === 'Tokenization')) {
      await sendExample(operation, 'none', known);
    }
  });

  test('of webhooks is answered as documented', async () => {
    const { id } = await sendExample('createWebhook', 'developerKey');
    const known = { id: String(id) };
    await sendExample('webhooks', 'developerKey');
    await sendExample('webhook', 'developerKey', known);
    await sendExample('rotateWebhookSecret', 'developerKey', known);
    await sendExample('activateWebhook', 'developerKey', known);
    const { id: deliveryId } = await sendExample('testWebhook', 'developerKey', known);
    await sendExample('webhookDeliveries', 'developerKey', known);
    await sendExample('redeliverWebhook', 'developerKey', { ...known, deliveryId: String(deliveryId) });
    await sendExample('replayWebhook', 'developerKey', known);
    await sendExample('updateWebhook', 'developerKey', known);
    await sendExample('deleteWebhook', 'developerKey', known);
  });

  test('of trading is answered as documented', async () => {
    const { refreshToken } = await sendExample('tradingLogin', 'none', { ...kit.pair });
    const { accessToken } = await sendExample('refreshTradingTokens', 'none', { refreshToken: String(refreshToken) });
    const trader = { authorization: `Bearer ${String(accessToken)}` };
    await sendExample('createProfile', trader, { document: '11144477735' });
    await sendExample('fetchProfiles', trader);
    for (const operation of ['walletBalances', 'marketList', 'ticker', 'historicalPrices', 'poolsBalances']) {
      await sendExample(operation, trader);
    }
    const filled = await sendExample('createOrder', trader);
    await sendExample('fetchOrder', trader, { orderId: String(filled['orderId']) });
    await sendExample('fetchOrders', trader);
    const waiting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.001', price: '1000.00' };
    const placed = await kit.ask('POST', '/v1/orders/createOrder', { as: trader, body: waiting });
    expect(placed).toMatchObject({ status: 201, body: { status: 'PENDING' } });
    await sendExample('cancelOrder', trader, { orderId: (placed.body as { orderId: string }).orderId });
    const { quoteId } = await sendExample('createQuote', trader);
    await sendExample('fetchQuote', trader, { quoteId: String(quoteId) });
    await sendExample('executeQuote', trader, { quoteId: String(quoteId) });
    await sendExample('fetchDepositAddress', trader);
    await sendExample('withdraw', trader);
  });

  test('of the agent endpoint is answered as documented', async () => {
    const { requestBody } = operationOf({ method: 'POST', path: '/v1/emissoes/mcp' });
    const headers = { accept: 'application/json, text/event-stream' };
    const body = requestBody?.content['application/json'].example;
    expect(await kit.ask('POST', '/v1/emissoes/mcp', { as: 'apiKey', headers, body })).toMatchObject({ status: 201 });
  });
});

const bodySchema = (route: Route) => operationOf(route).requestBody?.content['application/json'].schema;
const querySchemas = (route: Route): Record<string, JsonSchema> => {
  const all = operationOf(route).parameters as readonly { name?: string; in?: string; schema?: JsonSchema }[];
  // What stands beside a text body is not for JSON; only the house makes cursors.
  const own = all.filter((one) => one.in === 'query' && !hasBody(route) && !/^(nextToken|after)$/.test(one.name ?? ''));
  return Object.fromEntries(own.map(({ name = '', schema = {} }) => [name, schema]));
};

/** What no schema can say: words that stand for a thing of the house, and forms that a pattern cannot tell. */
const known: Readonly<Record<string, (value: unknown) => unknown>> = {
  currency: () => 'BTC',
  asset: () => 'BTC',
  network: () => 'bitcoin',
  amount: () => '1.5',
  quoteAmount: () => '1.5',
  price: () => '1.5',
  password: (value) => wellFormed(`a1${String(value).slice(0, 60)}`),
};

/** The same body with what is known, and without what must not stand beside another field. */
function sensible(body: Record<string, unknown>): Record<string, unknown> {
  const given = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value == null ? value : (known[name]?.(value) ?? value)]),
  );
  const { quoteAmount } = given;
  const rest = without(given, 'quoteAmount', 'expiresAt');
  const document = rest['document'];
  const ofType = typeof document === 'string' ? { documentType: document.length === 11 ? 'CPF' : 'CNPJ' } : {};
  return 'amount' in rest || quoteAmount === undefined ? { ...rest, ...ofType } : { ...rest, quoteAmount };
}

function without(body: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

// The paths only for browsers have the bodies of their checks, which any session may send.
const withBody = routes.filter(
  (route) => route.byProgram === undefined && Object.keys(bodySchema(route)?.properties ?? {}).length > 0,
);
const withQuery = routes.filter((route) => Object.keys(querySchemas(route)).length > 0);
const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('a body of the form that the text says', () => {
  test.each(named(withBody))('is refused for no field of it: %s', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(valueOf(bodySchema(route) ?? {}), async (value) => {
        const body = sensible(value as Record<string, unknown>);
        const { status, paths, body: said } = await send(route, { body });
        if (status === 400) expect([body, said, paths.filter((path) => path !== '')]).toEqual([body, said, []]);
        expect(status).not.toBe(500);
      }),
      { numRuns: 6 },
    );
  });

  test.each(named(withBody))('is refused just outside of it, by its path: %s', async (_, route) => {
    const { properties = {}, required = [] } = bodySchema(route) ?? {};
    const [base] = fc.sample(valueOf(bodySchema(route) ?? {}), { numRuns: 1, seed: 7 }) as Record<string, unknown>[];
    const given = sensible(base ?? {});
    for (const [name, schema] of Object.entries(properties)) {
      for (const [what, value] of outside(schema)) {
        const { status, paths } = await send(route, { body: { ...given, [name]: value } });
        const named = paths.some((path) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
        expect([name, what, [400, 422].includes(status), named]).toEqual([name, what, true, true]);
      }
      if (required.includes(name))
        expect([name, (await send(route, { body: without(given, name) })).status]).toEqual([name, 400]);
    }
  });
});

test.each(named(withQuery))(
  'a query of the form that the text says is refused for no parameter of it, and just outside of it: %s',
  async (_, route) => {
    const schemas = querySchemas(route);
    const needed = routeQuery(route);
    for (const [name, schema] of Object.entries(schemas)) {
      for (const any of fc.sample(valueOf(schema), { numRuns: 3, seed: 7 })) {
        const value = known[name]?.(any) ?? any;
        const { paths, status } = await send(route, { query: { ...needed, [name]: value } });
        expect([name, value, status === 400 ? paths : []]).toEqual([name, value, []]);
      }
      for (const [what, value] of outside(schema).filter(([what]) => !['null', 'a number'].includes(what))) {
        const { paths } = await send(route, { query: { ...needed, [name]: value } });
        expect([name, what, paths]).toEqual([name, what, [name]]);
      }
    }
  },
);

/** What a query has to hold, of the example of the route. */
function routeQuery(route: Route): Record<string, string> {
  const required = (operationOf(route).parameters as readonly { name?: string; in?: string; required?: boolean }[])
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name = '' }) => name);
  // A version is one of a month.
  const besides = route.operation === 'managementReport' ? { month: '2026-01' } : {};
  return { ...besides, ...Object.fromEntries(required.map((name) => [name, route.example.query?.[name] ?? ''])) };
}

describe('every error is as the text says', () => {
  // The session of the others ends by it.
  const last = routes.toSorted(
    (one, other) => Number(one.operation === 'logout') - Number(other.operation === 'logout'),
  );

  test.each(last.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    for (const [target, sent] of refusedRequests(route, limited)) {
      const { status, body } = await kit.ask(route.method, target, sent);
      if (strangers.some((one) => one === sent.as)) expect([target, status]).toEqual([target, 401]);
      if (status >= 500)
        expect([target, sent, body]).toEqual([target, sent, expect.objectContaining({ statusCode: 503 })]);
    }
  });

  test('of a key without the scope come before those of the request, on every path that needs one', async () => {
    const { developerKey: contracts } = limited.scopeless;
    const paths = routes.filter(({ credential, scope }) => credential === 'developerKey' && scope !== 'contracts:read');
    for (const route of paths) {
      const body = hasBody(route) ? { body: '{' } : {};
      const reply = await kit.ask(route.method, `${exampleTarget(route)}?limit=x`, { as: contracts, ...body });
      expect([route.operation, reply.status]).toEqual([route.operation, 403]);
      expect(reply.body).toMatchObject({ message: expect.stringContaining(String(route.scope)) });
    }
  });

  test('of a body that is too long, on every path that takes one', async () => {
    for (const route of routes.filter((one) => hasBody(one) && one.byProgram === undefined)) {
      const headers = route.credential === 'session' ? await kit.caller.member(`${route.operation}@example.com`) : {};
      const { target, status, body } = await announceTooMuch(kit, route, {
        ...kit.credentials[route.credential],
        ...headers,
      });
      expect([target, status]).toEqual([target, 413]);
      kit.hold(route.method, String(target), { status: Number(status), body });
    }
  });

  test('of a method that a path does not have: 405 with the ones that it has', async () => {
    for (const path of new Set(routes.map((route) => targetOf(route, {})))) {
      const { status, headers, body } = await kit.caller.send('PROPFIND', path);
      expect([path, status, body]).toEqual([path, 405, expect.objectContaining({ statusCode: 405 })]);
      expect(headers.get('allow')).not.toBeNull();
    }
  });

  test('of a client beyond its limit', async () => {
    const signer = await slowSigner(kit);
    for (const route of routes.filter(({ method, credential }) => method === 'GET' && credential === 'trader')) {
      const { status } = await kit.ask(route.method, targetOf(route), { as: limited.slow });
      expect([200, 400, 404, 429]).toContain(status);
    }
    for (const route of routes.filter(({ method, credential }) => method === 'GET' && credential === 'signature')) {
      const { status, body } = await sendSigned(kit.platform.url, signer, targetOf(route));
      kit.hold(route.method, targetOf(route), { status, body });
    }
    expect(kit.statuses()).toContain(429);
  });

  test('and each error status that the house documents has been one of them', () => {
    expect(kit.statuses()).toEqual(expect.arrayContaining([400, 401, 403, 404, 406, 409, 413, 415, 422, 429]));
  });
});

describe('the text', () => {
  test('takes what can be null from the types of the graph, and what can be absent from the operations', () => {
    const graph = buildSchema(readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8'), {
      assumeValid: true,
      assumeValidSDL: true,
    });
    const fragments = operationFiles().flatMap(({ definitions }) =>
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node] : [])),
    );
    const compared = fragments.flatMap(({ name, typeCondition, selectionSet }) => {
      const type = graph.getType(typeCondition.name.value);
      const schema = text.components.schemas[name.value];
      return selectionSet.selections.flatMap((node) => {
        if (node.kind !== Kind.FIELD || !isObjectType(type)) return [];
        const key = node.alias?.value ?? node.name.value;
        const isNullable = !isNonNullType(type.getFields()[node.name.value]?.type);
        const isOptional = (node.directives ?? []).some(
          ({ name: { value } }) => !['flatten', 'number', 'lowerCase', 'description'].includes(value),
        );
        const shown = [schema?.properties?.[key]?.nullable === true, schema?.required?.includes(key)];
        return [[`${name.value}.${key}`, shown, [isNullable && !isOptional, !isOptional]] as const];
      });
    });
    expect(compared.length).toBeGreaterThan(300);
    for (const [field, shown, expected] of compared) expect([field, shown]).toEqual([field, expected]);
  });

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
    const served = await kit.caller.send('GET', '/openapi.json');
    const told = JSON.stringify({ info: text.info, servers: text.servers });
    const own = JSON.parse(told.replaceAll('http://localhost:4000', 'https://api.example.com')) as object;
    expect(served.body).toEqual({ ...text, ...own });
  });

  test('names every header of the contract, every scheme and an example for each operation', () => {
    expect(Object.keys(text.components.headers)).toEqual(
      expect.arrayContaining([
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'X-Request-Id',
        'X-Idempotent-Replayed',
        'Retry-After',
      ]),
    );
    expect(Object.keys(text.components.securitySchemes).sort()).toEqual([
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
    for (const operation of Object.values(text.paths).flatMap((path) => Object.values(path))) {
      expect(operation['x-codeSamples'][0]?.source).toMatch(/curl|client\.sh/);
      for (const status of Object.keys(operation.responses)) {
        expect(Object.keys(answerOf(text, operation, Number(status)).headers ?? {})).toContain('X-RateLimit-Reset');
      }
    }
  });

  const every = (schema: JsonSchema): JsonSchema[] => [
    schema,
    ...Object.values(schema.properties ?? {}).flatMap(every),
    ...(schema.items === undefined ? [] : every(schema.items)),
  ];
  const schemas = routes.flatMap((route) => [
    ...every(bodySchema(route) ?? {}),
    ...Object.values(querySchemas(route)).flatMap(every),
  ]);

  test('has patterns that mean the same with the flag u and without, and no multipleOf', () => {
    for (const { pattern = '' } of schemas) {
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
      expect(pattern).not.toMatch(/\\[pP]\{|\\u\{/);
    }
    expect(JSON.stringify(text)).not.toContain('multipleOf');
  });

  test('gives what may be null the type of what it refers to', () => {
    const nullable = Object.values(text.components.schemas)
      .flatMap(every)
      .filter((schema) => schema.nullable === true && schema.allOf !== undefined);
    expect(nullable).not.toEqual([]);
    for (const { type, allOf: [{ $ref = '' } = {}] = [] } of nullable)
      expect([$ref, type]).toEqual([$ref, text.components.schemas[$ref.split('/').at(-1) ?? '']?.type]);
  });

  test('has a route for every operation, and every fragment is used', () => {
    const folder = new URL('../../rest/operations/', import.meta.url);
    const files = (under: string) => readdirSync(new URL(under, folder)).filter((name) => name.endsWith('.graphql'));
    const names = new Set(rowsOf(routes).map(({ operation }) => `${operation}.graphql`));
    expect(files('.').filter((name) => !names.has(name))).toEqual([]);
    const texts = files('.').map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const shared = files('fragments').map((name) => readFileSync(new URL(`fragments/${name}`, folder), 'utf8'));
    for (const name of files('fragments')) {
      expect([...texts, ...shared].join('\n')).toContain(`...${name.replace('.graphql', '')}\n`);
    }
  });

  test('names the events that there are, and every path parameter', () => {
    const listed = routes.flatMap((route): JsonSchema[] => {
      const events = bodySchema(route)?.properties?.['events'];
      return events === undefined ? [] : [events];
    });
    expect(listed.map(({ items }) => items?.enum)).toEqual([eventNames, eventNames]);
    for (const route of routes) {
      const inPath = operationOf(route).parameters.filter((one) => one.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(pathParameters(route.path));
    }
  });
});

function operationOf({ method, path }: Pick<Route, 'method' | 'path'>): Operation {
  const operation = text.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the text`);
  return inputOf(text, operation);
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
  as: Sent['as'] = 'none',
  known: Record<string, string> = {},
): Promise<Fields> {
  const route = routeOf(operation);
  const { path, query, body } = route.example;
  const example = {
    ...(path === undefined ? {} : { path: { ...path, ...known } }),
    ...(query === undefined ? {} : { query: knownOf(query, known) }),
  };
  const target = exampleTarget({ ...route, example });
  const reply = await kit.ask(route.method, target, {
    as,
    ...(body === undefined ? {} : { body: { ...body, ...known } }),
  });
  expect([operation, reply.status, reply.body]).toEqual([operation, route.status, reply.body]);
  return (reply.body ?? {}) as Fields;
}

interface Inputs {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

async function send(
  route: Route,
  { query = {}, body }: Inputs,
): Promise<{ status: number; paths: string[]; body: unknown }> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(route.example.path?.[name] ?? 'x'),
  );
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const target = search === '' ? path : `${path}?${search}`;
  const content = JSON.stringify(body ?? {}).replace(new RegExp(`"${raw}([^"]*)"`, 'g'), '$1');
  const reply = await kit.ask(route.method, target, {
    as: route.credential,
    headers: route.credential === 'trader' ? { 'x-synthetic': 'true' } : {},
    ...(hasBody(route) ? { body: content } : {}),
  });
  const { details = [] } = (reply.body ?? {}) as { details?: { path: string }[] };
  return { status: reply.status, paths: details.map((one) => one.path), body: reply.body };
}

function operationFiles(): DocumentNode[] {
  const folder = new URL('../../rest/operations/', import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => parse(readFileSync(new URL(file, folder), 'utf8')));
}
