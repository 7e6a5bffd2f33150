import { createHash } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Arg, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { Access } from '../../shared/graphql/access.js';
import { buildSubgraph } from '../../shared/graphql/build.js';
import { CacheResponse } from '../../shared/graphql/response-cache.js';
import { testPlugin } from '../../tests/graph/kit.js';
import { quietLog, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { rateLimitsOf } from '../../tests/kit/rate-limits.js';
import { goodKey } from '../../tests/rest/edge-kit.js';
import { composeSupergraph } from '../graph/compose.js';
import { localDataSource } from '../graph/data-source.js';
import { createGraph } from '../graph/graph.js';

let revision = 0;
let runs = 0;

@ObjectType({ simpleResolvers: true })
class Rate {
  @Field(() => Int)
  days!: number;

  @Field(() => Int)
  value!: number;

  @Field(() => String, { nullable: true })
  notes?: string;
}

@Resolver()
class Rates {
  @Access('anyone')
  @CacheResponse(() => Promise.resolve(String(revision)))
  @Query(() => Rate, { nullable: true })
  rate(@Arg('days', () => Int) days: number): Rate {
    runs += 1;
    // The value does not change with each revision.
    return { days, value: Math.floor(revision / 2) };
  }

  @Access('anyone')
  @Query(() => Rate, { nullable: true })
  liveRate(): Rate {
    runs += 1;
    return { days: 1, value: revision, notes: 'long '.repeat(1_000) };
  }
}

const database = await openTestDatabase();
const subgraph = buildSubgraph({ name: 'rates', resolvers: [new Rates()] });
const graph = await createGraph({
  supergraphSdl: composeSupergraph([subgraph]),
  sources: { rates: localDataSource(subgraph.schema, testKeyRing) },
});
const { manager } = database.dataSource;
const parts = { clock: systemClock, log: quietLog, manager, bus: createLocalBus() };
const app = await testPlugin({ graph, edge: { rateLimits: rateLimitsOf(1e6) }, parts: { parts } });
afterAll(async () => {
  await app.close();
  await database.close();
});
beforeEach(() => {
  revision += 2;
  runs = 0;
});

const hashed = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
});
const register = (query: string, variables: object = {}) =>
  app.inject({ method: 'POST', url: '/graphql', payload: { query, variables, extensions: hashed(query) } });

function read(text: string, variables: object = {}, headers: Record<string, string> = {}) {
  const search = new URLSearchParams({
    extensions: JSON.stringify(hashed(text)),
    variables: JSON.stringify(variables),
  });
  return app.inject({ method: 'GET', url: `/graphql?${search.toString()}`, headers });
}

const rate = 'query ($days: Int!) { rate(days: $days) { days value } }';

test('a response from the cache is sent again, or confirmed by 304, without a run', async () => {
  await register(rate, { days: 1 });
  runs = 0;
  const first = await read(rate, { days: 1 });
  const tag = String(first.headers.etag);
  const again = await read(rate, { days: 1 });
  const known = await read(rate, { days: 1 }, { 'if-none-match': tag });
  expect([again.body, again.headers.etag, known.statusCode, known.body]).toEqual([first.body, tag, 304, '']);
  expect(runs).toBe(1);
  expect((await read(rate, { days: 2 })).json()).toMatchObject({ data: { rate: { days: 2 } } });
  expect(runs).toBe(2);
});

test('a new revision is read, and has the same tag only where the response is the same', async () => {
  await register(rate, { days: 1 });
  const tag = String((await read(rate, { days: 1 })).headers.etag);
  runs = 0;
  revision += 1;
  expect((await read(rate, { days: 1 }, { 'if-none-match': tag })).statusCode).toBe(304);
  expect(runs).toBe(1);
  revision += 1;
  const changed = await read(rate, { days: 1 }, { 'if-none-match': tag });
  expect([changed.statusCode, changed.json()]).toEqual([
    200,
    { data: { rate: { days: 1, value: Math.floor(revision / 2) } } },
  ]);
  expect([runs, changed.headers.etag === tag]).toEqual([2, false]);
});

test('a compressed response has the same tag, by HEAD too', async () => {
  const text = '{ liveRate { notes } }';
  await register(text);
  const plain = await read(text);
  const search = new URLSearchParams({ extensions: JSON.stringify(hashed(text)) });
  for (const method of ['GET', 'HEAD'] as const) {
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await app.inject({ method, url: `/graphql?${search.toString()}`, headers });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: plain.headers.etag });
    expect([method, packed.statusCode, packed.rawPayload.length > 0]).toEqual([method, 200, method === 'GET']);
  }
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a query that is not cached', () => read('{ liveRate { value } }'), '{ liveRate { value } }'],
  ['a request with a key', () => read(rate, { days: 1 }, { 'x-api-key': goodKey }), rate],
  ['a request by POST', () => register(rate, { days: 1 }), rate],
])('%s runs each time', async (_what, ask, text) => {
  await register(text, { days: 1 });
  runs = 0;
  await ask();
  await ask();
  expect(runs).toBe(2);
});
