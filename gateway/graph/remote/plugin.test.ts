import { request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { buildSchema, parse, type GraphQLFieldResolver } from 'graphql';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { until } from '../../../tests/kit/until.js';
import { createTestEdge, open } from '../../../tests/rest/edge-kit.js';
import { asyncIterator, finished } from '../../../shared/kernel/async-iterator.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { createKeyRing } from '../../../shared/security/crypto.js';
import { createCallTokens } from './call-token.js';
import { subgraphPlugin } from './plugin.js';
import { remoteDataSource } from './remote-data-source.js';

/** The headers by which a gateway begins a subscription of the subgraph `clock`. */
function headersOf(body: string): Record<string, string> {
  const context = testContext({ manager: undefined as never });
  const token = createCallTokens(testKeyRing, systemClock).sign('clock', body, context);
  return { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` };
}

test('a subscription whose caller leaves before it has begun is ended all the same', async () => {
  const schema = buildSchema('type Query { now: Int } type Subscription { ticks: Int }');
  let begin: () => void = () => undefined;
  let asked: () => void = () => undefined;
  const wasAsked = new Promise<void>((resolve) => (asked = resolve));
  const mayBegin = new Promise<void>((resolve) => (begin = resolve));
  let end: () => void = () => undefined;
  const ended = new Promise<'ended'>((resolve) => {
    end = () => {
      resolve('ended');
    };
  });
  const ticks: AsyncIterableIterator<unknown> = {
    next: () => ended.then(() => ({ done: true, value: undefined })),
    return: () => {
      end();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => ticks,
  };
  const subscribe: GraphQLFieldResolver<unknown, unknown> = async () => {
    asked();
    await mayBegin;
    return ticks;
  };
  Object.assign(schema.getSubscriptionType()?.getFields()['ticks'] ?? {}, { subscribe });

  const { app } = createTestEdge();
  subgraphPlugin(app, { subgraph: { name: 'clock', schema }, keyRing: testKeyRing });
  const url = await open(app);
  const body = JSON.stringify({ query: 'subscription { ticks }', variables: {} });
  const call = request(`${url}/graphql`, { method: 'POST', headers: headersOf(body) }).on('error', () => undefined);
  call.end(body);
  await wasAsked;
  call.destroy();
  await sleep(100);
  begin();
  expect(await Promise.race([ended, sleep(1_000, 'still running')])).toBe('ended');
  await app.close();
});

test('a subscription that cannot be ended keeps no other from being ended, and stops no process', async () => {
  const schema = buildSchema('type Query { now: Int } type Subscription { ticks: Int }');
  let left = 0;
  const subscribe: GraphQLFieldResolver<unknown, unknown> = () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const next = () => ended.then(() => finished);
    return asyncIterator(next, () => {
      left += 1;
      end();
      throw new Error('The source is lost');
    });
  };
  Object.assign(schema.getSubscriptionType()?.getFields()['ticks'] ?? {}, { subscribe });
  const { app, logged } = createTestEdge();
  subgraphPlugin(app, { subgraph: { name: 'clock', schema }, keyRing: testKeyRing });
  const url = await open(app);
  const begin = async (signal: AbortSignal | null = null): Promise<Response> => {
    const body = JSON.stringify({ query: 'subscription { ticks }', variables: {} });
    return fetch(`${url}/graphql`, { method: 'POST', headers: headersOf(body), body, signal });
  };
  const leaving = new AbortController();
  const [, ...others] = await Promise.all([begin(leaving.signal), begin(), begin()]);
  leaving.abort();
  await until('the first subscription to end', () => left === 1);
  await app.close();
  const complete = 'event: complete\ndata:\n\n';
  expect(await Promise.all(others.map((response) => response.text()))).toEqual([complete, complete]);
  expect(left).toBe(3);
  expect(logged().match(/A subscription could not be ended/g)).toHaveLength(3);
});

test('calls go on at every step of an exchange of the master key, and one by neither of its keys is rejected', async () => {
  const schema = buildSchema('type Query { now: Int }');
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const steps = [
    createKeyRing(before),
    createKeyRing(before, after),
    createKeyRing(after, before),
    createKeyRing(after),
  ];
  const serve = async (keyRing: (typeof steps)[number]) => {
    const { app } = createTestEdge();
    subgraphPlugin(app, { subgraph: { name: 'clock', schema }, keyRing });
    return { app, url: `${await open(app)}/graphql` };
  };
  const call = async (url: string, keyRing: (typeof steps)[number]) => {
    const source = remoteDataSource({ name: 'clock', url, schema, tokens: createCallTokens(keyRing, systemClock) });
    const context = testContext({ manager: undefined as never });
    const { data } = await source.execute({ document: parse('{ now }'), variables: {} }, context);
    await source.close();
    return data === undefined ? 'rejected' : 'accepted';
  };
  // While processes are replaced, processes of two consecutive steps run side by side.
  for (const [at, keyRing] of steps.entries()) {
    const { app, url } = await serve(keyRing);
    for (const other of steps.slice(Math.max(0, at - 1), at + 2)) expect(await call(url, other)).toBe('accepted');
    expect(await call(url, createKeyRing(Buffer.alloc(32, 3), before))).toBe('rejected');
    await app.close();
  }
});

test('a process that joins the others behind a balancer of connections gets calls, and none fails while connections end', async () => {
  const schema = buildSchema('type Query { now: Int }');
  const served = [0, 0];
  const parts = served.map((_count, index) => {
    const { app } = createTestEdge();
    subgraphPlugin(app, { subgraph: { name: 'clock', schema }, keyRing: testKeyRing });
    app.addHook('onRequest', (_request, _reply, done) => {
      served[index] = (served[index] ?? 0) + 1;
      done();
    });
    return app;
  });
  const ports = (await Promise.all(parts.map(open))).map((url) => Number(new URL(url).port));
  let ready = ports.slice(0, 1);
  const balancer = createServer((client) => {
    const server = connect(ready.at(-1) ?? 0, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/graphql`;
  const tokens = createCallTokens(testKeyRing, systemClock);
  const source = remoteDataSource({ name: 'clock', url, schema, tokens });
  const context = testContext({ manager: undefined as never });
  const document = parse('{ now }');
  const callOften = async (count: number) => {
    for (let call = 0; call < count; call += 1) {
      const { data, errors } = await source.execute({ document, variables: {} }, context);
      expect({ data, errors }).toEqual({ data: { now: null }, errors: undefined });
    }
  };
  const all = (count: number) => Promise.all(Array.from({ length: 4 }, () => callOften(count)));
  await all(50);
  expect(served[1]).toBe(0);
  ready = ports;
  await all(1_000);
  // Those that were open have carried 200 calls each, and then ended.
  expect(served[1]).toBeGreaterThan(1_000);
  await source.close();
  balancer.close();
  await Promise.all(parts.map((app) => app.close()));
});
