import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { buildSchema, type GraphQLFieldResolver } from 'graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { createTestEdge, open } from '../../tests/rest/edge-kit.js';
import { subgraphPlugin } from './plugin.js';
import { systemClock } from '../../shared/clock.js';
import { createCallTokens } from './call-token.js';

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
  const token = createCallTokens(testKeyRing, systemClock).sign(
    'clock',
    body,
    testContext({ manager: undefined as never }),
  );
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` };
  const call = request(`${url}/graphql`, { method: 'POST', headers }).on('error', () => undefined);
  call.end(body);
  await wasAsked;
  call.destroy();
  await sleep(100);
  begin();
  expect(await Promise.race([ended, sleep(1_000, 'still running')])).toBe('ended');
  await app.close();
});
