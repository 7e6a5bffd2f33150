import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { Fault } from '../../shared/errors.js';
import { open } from '../../tests/rest/edge-kit.js';
import { boundUnproved } from './unproved.js';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** A server that holds each body until it has answered, or, on `/proved`, until it is there. */
async function start(mostBytes: number): Promise<string> {
  const app = Fastify({ bodyLimit: 1000 });
  opened.push(app);
  const hold = boundUnproved(mostBytes);
  app.addHook('onRequest', (request, reply, done) => {
    const release = hold(request, reply);
    if (request.url === '/proved') release();
    done();
  });
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof Fault ? error.status : 500).send());
  app.post('*', async () => {
    await sleep(100);
    return 'taken';
  });
  return open(app);
}

const post = async (address: string, bytes: number) =>
  (await fetch(address, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(bytes) })).status;

test('what waits for its proof is bounded over all requests, and gives its room back', async () => {
  const base = await start(1000);
  const statuses = await Promise.all(Array.from({ length: 5 }, () => post(`${base}/`, 400)));
  expect(statuses.toSorted()).toEqual([200, 200, 503, 503, 503]);
  expect(await post(`${base}/`, 900)).toBe(200);
});

test('what is proved makes room at once', async () => {
  const base = await start(1000);
  const statuses = await Promise.all(Array.from({ length: 5 }, () => post(`${base}/proved`, 900)));
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});
