import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routes } from '../../rest/routes.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { hasBody, pathParameters, rowsOf, type Route } from '../../rest/route.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/add-originator.js';
import { eventNames } from '../../subgraphs/webhooks/events/event.js';
import { callerOf, type Caller } from '../accounts/http.js';
import { newPair, pemOf, sendSigned, type Signer } from '../credit-assignment/signing-kit.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import type { OpenApi, Operation } from './openapi-kit.js';

/* What the text says of requests, held against the running house: what it allows is refused for its form by nobody, and what lies just outside is. */

const text = JSON.parse(readFileSync(new URL('../../rest/openapi.json', import.meta.url), 'utf8')) as OpenApi;

let platform: TestPlatform;
let caller: Caller;
let signer: Signer;
let credentials: Readonly<Record<Route['credential'], Record<string, string>>>;

beforeAll(async () => {
  platform = await openTestPlatform({ DEMO: 'true', ...rateLimitVariables(1_000_000) }, { background: false });
  caller = callerOf(platform);
  const file = readFileSync(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  const keys = JSON.parse(file) as {
    publicApiKey: string;
    developerApiKey: string;
    trading: { apiKey: string; secretKey: string };
  };
  const { accessToken } = (await caller.post('/v1/auth/login', keys.trading)).body as { accessToken: string };
  const { privateKey, publicKey } = newPair();
  const wish = { name: 'Banco', publicKey: pemOf(publicKey), rateLimit: null, accountId: null };
  signer = { clientId: (await addOriginator(platform.infrastructure.context, wish)).id, key: privateKey };
  credentials = {
    none: {},
    signature: {},
    session: await caller.member('forms@example.com'),
    apiKey: { 'x-api-key': keys.publicApiKey },
    developerKey: { 'x-api-key': keys.developerApiKey },
    trader: { authorization: `Bearer ${accessToken}`, 'x-synthetic': 'true' },
  };
});
afterAll(() => platform.close());

function operationOf({ method, path }: Route): Operation {
  const operation = text.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the text`);
  return operation;
}

/** Characters of one, two, three and four bytes, a quote, and blanks within. */
const anyText = fc.string({ unit: fc.constantFrom('a', '7', 'é', 'ç', '中', '😀', '"', '.', ' ') });

/** Any value of a schema. */
function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: words, format, pattern, minLength = 0, maxLength = 40, minimum = 0, maximum = 1e6 } = schema;
  if (words !== undefined) return fc.constantFrom(...words);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date')
    return fc.date({ min: day('2026-01-01'), max: day('2040-12-31'), noInvalidDate: true }).map(civil);
  if (format === 'date-time')
    return fc
      .date({ min: day('2026-01-01'), max: day('2026-06-30'), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (format === 'email') return fc.stringMatching(/^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.com$/);
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (type === 'array') {
    const { minItems = 0, items = {} } = schema;
    return fc.array(valueOf(items), { minLength: minItems, maxLength: minItems + 2 });
  }
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([name, field]) => [name, valueOf(field)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }
  const form = pattern === undefined ? undefined : new RegExp(pattern);
  const fits = (value: string) =>
    (form?.test(value) ?? true) && countOf(value) >= minLength && countOf(value) <= maxLength;
  const longest = anyText.filter((value) => value !== '').map((value) => value.repeat(maxLength).slice(0, maxLength));
  if (form === undefined || form.test('aé')) return fc.oneof(anyText, longest.map(wellFormed)).filter(fits);
  return fc.stringMatching(form, { maxLength }).filter(fits);
}

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const civil = (date: Date) => date.toISOString().slice(0, 10);
const countOf = (value: string) => Array.from(value).length;
/** Without halves of characters at the end. */
const wellFormed = (value: string) => value.replace(/[\ud800-\udbff]$/, 'a');

/** Begins a text that is sent without its quotes: a number with digits that JavaScript would not write. */
const raw = 'written: ';

/** Values just outside of a schema, each with what is wrong with it. */
function outside(schema: JsonSchema): [what: string, value: unknown][] {
  const { type, enum: words, pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum, nullable } = schema;
  const found: [string, unknown][] = [];
  if (nullable !== true) found.push(['null', null]);
  if (type === 'string') found.push(['a number', 5]);
  if (type === 'number' || type === 'integer') found.push(['a text', 'x'], ['no number', true]);
  if (type === 'boolean') found.push(['a word', 'yes']);
  if (words !== undefined) found.push(['another word', 'NO-SUCH-WORD']);
  if (minLength !== undefined && minLength > 0)
    found.push(['too short', 'a1'.repeat(minLength).slice(0, minLength - 1)]);
  if (maxLength !== undefined && words === undefined)
    found.push(['too long', 'a1'.repeat(maxLength).slice(0, maxLength + 1)]);
  if (pattern !== undefined && !new RegExp(pattern).test('a\u0007b')) found.push(['a control character', 'a\u0007b']);
  if (maximum !== undefined) found.push(['above the maximum', maximum + 1]);
  if (minimum !== undefined) found.push(['below the minimum', exclusiveMinimum === true ? minimum : minimum - 1]);
  if (schema['x-decimals'] !== undefined)
    found.push(['a decimal too many', 4.355], ['more digits than a double keeps', `${raw}1500.50000000000000000001`]);
  if (type === 'array') {
    const { minItems = 0 } = schema;
    found.push(['no list', {}]);
    if (minItems > 0) found.push(['too few', []]);
    for (const [what, value] of outside(schema.items ?? {})) found.push([`of an item: ${what}`, [value]]);
  }
  return found;
}

interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

let signed = 0;

async function send(
  route: Route,
  { query = {}, body }: Sent,
): Promise<{ status: number; paths: string[]; body: unknown }> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(route.example.path?.[name] ?? 'x'),
  );
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const target = search === '' ? path : `${path}?${search}`;
  const content = hasBody(route)
    ? JSON.stringify(body ?? {}).replace(new RegExp(`"${raw}([^"]*)"`, 'g'), '$1')
    : undefined;
  // Each of a second of its own: the same request in the same one is a replay.
  const init = {
    method: route.method,
    timestamp: Math.floor(Date.now() / 1000) - (signed++ % 200),
    ...(content === undefined ? {} : { body: content }),
  };
  const reply =
    route.credential === 'signature'
      ? await sendSigned(platform.url, signer, target, init)
      : await caller.send(route.method, target, content, credentials[route.credential]);
  const { details = [] } = (reply.body ?? {}) as { details?: { path: string }[] };
  return { status: reply.status, paths: details.map((one) => one.path), body: reply.body };
}

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

describe('a query of the form that the text says', () => {
  test.each(named(withQuery))('is refused for no parameter of it, and just outside of it: %s', async (_, route) => {
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
  });
});

/** What a query has to hold, of the example of the route. */
function routeQuery(route: Route): Record<string, string> {
  const required = (operationOf(route).parameters as readonly { name?: string; in?: string; required?: boolean }[])
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name = '' }) => name);
  // A version is one of a month.
  const besides = route.operation === 'managementReport' ? { month: '2026-01' } : {};
  return { ...besides, ...Object.fromEntries(required.map((name) => [name, route.example.query?.[name] ?? ''])) };
}

describe('the text of requests', () => {
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
