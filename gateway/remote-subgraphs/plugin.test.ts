import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { buildSchema, type GraphQLFieldResolver } from 'graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { eventually } from '../../tests/hostile/kit.js';
import { createTestEdge, open } from '../../tests/rest/edge-kit.js';
import { asyncIterator, finished } from '../../shared/async-iterator.js';
import { systemClock } from '../../shared/clock.js';
import { createCallTokens } from './call-token.js';
import { subgraphPlugin } from './plugin.js';

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
  await eventually('the first is ended', () => left === 1);
  await app.close();
  const complete = 'event: complete\ndata:\n\n';
  expect(await Promise.all(others.map((response) => response.text()))).toEqual([complete, complete]);
  expect(left).toBe(3);
  expect(logged().match(/A subscription could not be ended/g)).toHaveLength(3);
});
