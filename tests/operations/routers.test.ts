import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { openPlatform, type Platform } from '../../bootstrap/platform.js';
import { loadConfig } from '../../shared/kernel/config.js';
import { createDemo } from '../../subgraphs/accounts/demo/demo.js';
import { accountsEntities } from '../../subgraphs/accounts/rows.js';
import { callerOf } from '../accounts/http.js';
import { quietLog, testContext, testKeyRing, testMasterKey } from '../kit/context.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { openTestRedis, redisMissing, type TestRedis } from '../kit/redis.js';
import { products, type Router } from './routers-kit.js';

const missing = [
  ...products.flatMap((one) => (one.missing === undefined ? [] : [`${one.name}: ${one.missing}`])),
  ...(redisMissing === undefined ? [] : [redisMissing]),
];
if (missing.length > 0) process.stderr.write(`Skipped: other federation routers (${missing.join('; ')})\n`);
const present = redisMissing === undefined ? products.filter((one) => one.missing === undefined) : [];
const describeRouters = present.length > 0 ? describe : describe.skip;

const issuer = 'https://entrada.example';
const names = ['accounts', 'issuances', 'tokenization', 'credit-assignment', 'trading', 'webhooks'];
const pageDocument = (name: string) =>
  readFileSync(new URL(`../../apps/site/graph/${name}.graphql`, import.meta.url), 'utf8');

describeRouters('Another federation router before our subgraphs', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let folder: string;
  let privateKey: CryptoKey;
  let ours: Platform;
  let supergraph: string;
  let apiKey: string;
  const parts: Platform[] = [];

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    ({ privateKey } = pair);
    folder = await mkdtemp(join(tmpdir(), 'lastro-routers-'));
    const keys = join(folder, 'keys.json');
    writeFileSync(keys, JSON.stringify({ keys: [await exportJWK(pair.publicKey)] }));
    database = await openTestDatabase({ template: 'demo', entities: accountsEntities });
    redis = await openTestRedis();
    apiKey =
      (await createDemo(testContext({ manager: database.dataSource.manager }), testKeyRing, 1000))?.publicApiKey ?? '';
    const open = (role: string, env: Record<string, string>) =>
      openPlatform(
        loadConfig({
          NODE_ENV: 'test',
          ROLE: role,
          PORT: '0',
          DATA_DIR: folder,
          DATABASE_URL: database.url,
          DATABASE_POOL: '4',
          REDIS_URL: redis.url,
          MASTER_KEY: testMasterKey.toString('base64'),
          ...rateLimitVariables(1_000_000),
          ...env,
        }),
        quietLog,
      );
    for (const name of names)
      parts.push(await open(`subgraph:${name}`, { ROUTER_JWKS_FILE: keys, ROUTER_ISSUER: issuer }));
    const SUBGRAPH_URLS = names.map((name, at) => `${name}=${parts[at]?.url ?? ''}/graphql`).join();
    ours = await open('gateway', { SUBGRAPH_URLS });
    supergraph = names.reduce(
      (text, name, at) => text.replace(`http://${name}:4000/graphql`, `${parts[at]?.url ?? ''}/graphql`),
      readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8'),
    );
  });
  afterAll(async () => {
    await ours.close();
    await Promise.all(parts.map((part) => part.close()));
    await redis.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tokenOf = (payload: JWTPayload, { seconds = 60, from = issuer } = {}) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(from)
      .setAudience('lastro')
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(privateKey);

  async function ask(url: string, headers: Record<string, string>, query: string, variables: object = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as {
      data?: unknown;
      errors?: { path?: unknown; extensions: Record<string, unknown> }[];
    };
  }

  /** The same, of what callers may rely on. */
  const resultOf = ({ data, errors }: Awaited<ReturnType<typeof ask>>) => ({
    data,
    errors: errors?.map(({ path, extensions: { code, statusCode } }) => ({ path, code, statusCode })),
  });

  async function keyCaller(): Promise<JWTPayload> {
    const [row]: { id: string; account_id: string }[] = await database.dataSource.query(
      'SELECT id, account_id FROM accounts.api_keys WHERE revoked_at IS NULL LIMIT 1',
    );
    if (row === undefined) throw new Error('The demo has no key');
    return { sub: row.account_id, caller: { kind: 'API_KEY', id: row.id } };
  }

  const ticker = 'CRI-SSA';
  const documents: readonly (readonly [name: string, query: string, variables: object])[] = [
    ['operationPage', pageDocument('operationPage'), { ticker: 'cri-shopping-serra-azul', locale: 'PT_BR' }],
    ['a join of two subgraphs', '{ operations(first: 3) { nodes { ticker followedByMe } } }', {}],
    ['patrimonyList', '{ patrimonies(first: 2) { nodes { ticker tranches { ticker status } } } }', {}],
    ['assets', '{ assets(first: 5) { totalCount nodes { id type } } }', {}],
    ['what does not exist', 'query ($t: String!) { operation(ticker: $t) { name } }', { t: 'NADA' }],
    ['what the caller may not do', '{ originators { id } }', {}],
    [
      'a field that fails beside one that does not',
      `{ operation(ticker: "${ticker}") { name } originators { id } }`,
      {},
    ],
    ['a value that is wrong', '{ operations(first: 0) { nodes { ticker } } }', {}],
  ];

  const refused = new Set([
    'what the caller may not do',
    'a field that fails beside one that does not',
    'a value that is wrong',
  ]);

  describe.each(present.length > 0 ? present : products)('$name', ({ open }) => {
    let router: Router;
    beforeAll(async () => {
      router = await open(folder, supergraph);
    });
    afterAll(() => router.stop());

    test.each(documents)('answers as our gateway does: %s', async (name, query, variables) => {
      const isRefused = refused.has(name);
      const authorization = `Bearer ${await tokenOf(await keyCaller())}`;
      const [own, other] = await Promise.all([
        ask(`${ours.url}/graphql`, { 'x-api-key': apiKey }, query, variables),
        ask(router.url, { authorization }, query, variables),
      ]);
      expect(resultOf(other)).toEqual(resultOf(own));
      expect(own.errors === undefined).toBe(!isRefused);
    });

    test('acts for the caller whom its token names, and executes a request with a key once', async () => {
      const email = `${crypto.randomUUID()}@casa.example`;
      const { authorization } = await callerOf(ours).member(email);
      const { data } = await ask(`${ours.url}/graphql`, { authorization }, '{ me { id email } }');
      const { id } = (data as { me: { id: string } }).me;
      const { jti } = decodeJwt(authorization.slice('Bearer '.length));
      const session = { sub: id, caller: { kind: 'SESSION', id: jti, scopes: ['confirmed'] } };
      const headers = { authorization: `Bearer ${await tokenOf(session)}`, 'x-idempotency-key': 'once-1' };
      const create = 'mutation { createApiKey(name: "Router") { __typename } }';
      const [one, two] = [await ask(router.url, headers, create), await ask(router.url, headers, create)];
      expect(one.errors).toBeUndefined();
      expect(two).toEqual(one);
    });

    test.each<[string, () => Promise<string>]>([
      ['no token', () => Promise.resolve('')],
      ['a caller with a key of ours alone', () => Promise.resolve(apiKey)],
      ['another issuer', async () => tokenOf(await keyCaller(), { from: 'https://outra.example' })],
      ['a token for a day', async () => tokenOf(await keyCaller(), { seconds: 86_400 })],
      ['an operator', () => tokenOf({ sub: 'x', caller: { kind: 'OPERATOR', id: 'x', scopes: ['administer'] } })],
    ])('is refused by the subgraphs with %s', async (_name, token) => {
      const { data, errors } = await ask(
        router.url,
        { authorization: `Bearer ${await token()}` },
        '{ patrimonies(first: 1) { nodes { ticker } } }',
      );
      expect(data ?? null).toBeNull();
      expect(errors?.length).toBeGreaterThan(0);
    });
  });
});
