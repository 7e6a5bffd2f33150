import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import { createCallTokens } from './call-token.js';
import { lostCall, remoteDataSource } from './remote-data-source.js';

const schema = buildSchema('type Query { now: Int } type Mutation { note: Int }');
const mutation = { document: parse('mutation { note }') };
const context = testContext({ manager: undefined as never });
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function call(respond: (response: ServerResponse) => unknown, given = mutation): Promise<GraphResult> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => respond(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const source = remoteDataSource({ name: 'notes', url, schema, tokens: createCallTokens(testKeyRing, systemClock) });
  closers.push(async () => {
    await source.close();
    server.closeAllConnections();
    server.close();
  });
  return source.execute(given, context);
}

const unknown = /whether it was made is unknown/;
const messageOf = ({ errors }: GraphResult) => errors?.[0]?.message;

describe('a mutation that a subgraph in another process gave no result for', () => {
  test.each([400, 401, 404, 413, 429])('was not made where the response is %i', async (status) => {
    const result = await call((response) => response.writeHead(status).end('{}'));
    expect(result.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 1 } }]);
    expect(messageOf(result)).not.toMatch(unknown);
  });

  test('was not made where the subgraph is stopping and says when to try again', async () => {
    const result = await call((response) => response.writeHead(503, { 'retry-after': '2' }).end('{}'));
    expect(result.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 2 } }]);
    expect(messageOf(result)).not.toMatch(unknown);
  });

  test.each([500, 502, 503, 504])('may have been made where the response is %i alone', async (status) => {
    expect(messageOf(await call((response) => response.writeHead(status).end('{}')))).toMatch(unknown);
  });

  test('may have been made where the connection is lost', async () => {
    expect(messageOf(await call((response) => response.destroy()))).toMatch(unknown);
  });

  test.each(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'])(
    'was not made where there was no connection: %s',
    (code) => {
      const cause = Object.assign(new Error(code), { code, syscall: 'connect' });
      expect(lostCall(cause, mutation, context).message).not.toMatch(unknown);
    },
  );

  test('may have been made where the host became unreachable after it was sent', () => {
    const cause = Object.assign(new Error('read'), { code: 'EHOSTUNREACH', syscall: 'read' });
    expect(lostCall(cause, mutation, context).message).toMatch(unknown);
  });
});

test('a query that was lost has changed nothing', async () => {
  const given = { document: parse('{ now }') };
  expect(messageOf(await call((response) => response.writeHead(500).end('{}'), given))).not.toMatch(unknown);
});
