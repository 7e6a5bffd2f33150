import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { goodSession } from '../../../tests/rest/edge-kit.js';
import { systemClock } from '../../../shared/kernel/clock.js';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createKeyRing } from '../../../shared/security/crypto.js';
import { createCallTokens } from './call-token.js';

interface Part {
  readonly url: string;
  readonly process: ChildProcess;
}

const master = Buffer.alloc(32, 7).toString('base64');

async function boot(name: string, ...addresses: string[]): Promise<Part> {
  const process_ = spawn(
    process.execPath,
    ['--import', './tests/kit/typescript.mjs', 'tests/graph/part.ts', name, database.url, master, ...addresses],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface({ input: process_.stdout }), 'line')) as [string];
  return { url: `${line}/graphql`, process: process_ };
}

async function stop({ process: child }: Part): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit');
  child.stdin?.end();
  await gone;
  return child.exitCode;
}

const database = await openTestDatabase();
const [library, reviews] = await Promise.all([boot('library'), boot('reviews')]);
const gateway = await boot('gateway', `library=${library.url}`, `reviews=${reviews.url}`);

afterAll(async () => {
  await Promise.all([gateway, library, reviews].map(stop));
  await database.close();
});

async function ask(payload: object, headers: Record<string, string> = {}, url = gateway.url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(payload),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
}

const session = { authorization: `Bearer ${goodSession}` };

describe('a gateway and two subgraphs, each a process of its own', () => {
  test('answer a query that reaches over both', async () => {
    const { json } = await ask({
      query: 'query ($n: Int!) { books(first: $n) { title price rating } }',
      variables: { n: 2 },
    });
    expect(json).toEqual({
      data: {
        books: [
          { title: 'Dom Casmurro', price: '39.90', rating: 3 },
          { title: 'Vidas Secas', price: '29.90', rating: 4 },
        ],
      },
    });
  });

  test('carry the caller, and the errors with their codes and the request id', async () => {
    const { json: known } = await ask({ query: '{ reader book(id: "1") { likedByMe } }' }, session);
    expect(known).toEqual({ data: { reader: 'account-1', book: { likedByMe: true } } });
    const { json: unknown } = await ask(
      { query: '{ strictBook(id: "9") { title rating } }' },
      { 'x-request-id': 'r-77' },
    );
    expect(unknown).toEqual({
      data: null,
      errors: [
        {
          message: 'No such book',
          locations: [{ line: 1, column: 3 }],
          path: ['strictBook'],
          extensions: { code: 'NOT_FOUND', statusCode: 404, requestId: 'r-77' },
        },
      ],
    });
  });

  test('report what happens, each event reaching over both', async () => {
    const client = createClient({
      url: gateway.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: session,
    });
    const events = client.iterate({
      query: 'subscription { bookChanged(id: "1") { what book { title rating } } }',
    });
    const first = events.next();
    // Nothing reports that the other side has begun to listen: the note is repeated until it arrives.
    const telling = setInterval(() => void ask({ query: 'mutation { note(text: "lent") }' }, session), 100);
    await first.finally(() => {
      clearInterval(telling);
    });
    expect((await first).value).toEqual({
      data: { bookChanged: { what: 'lent (1)', book: { title: 'Dom Casmurro', rating: 3 } } },
    });
    await events.return?.();
    await client.dispose();
  });

  test('run a mutation once for its key', async () => {
    const headers = { ...session, 'x-idempotency-key': 'split-1' };
    const payload = { query: 'mutation { note(text: "only once") }' };
    const first = await ask(payload, headers);
    const second = await ask(payload, headers);
    expect([first.json, second.json]).toEqual([{ data: { note: 'only once' } }, { data: { note: 'only once' } }]);
    expect(second.headers.get('x-idempotent-replayed')).toBe('true');
    expect(await database.dataSource.query(`SELECT 1 FROM shared.outbox WHERE key = 'only once'`)).toHaveLength(1);
  });
});

describe('a subgraph', () => {
  const body = JSON.stringify({ query: '{ books { id } }', variables: {} });
  const context = testContext({ manager: undefined as never });

  async function call(token: string | undefined, sent = body) {
    const response = await fetch(library.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: sent,
    });
    return { status: response.status, text: await response.text() };
  }

  test('answers a call that the house signed', async () => {
    const token = createCallTokens(testKeyRing, systemClock).sign('library', body, context);
    expect(await call(token)).toMatchObject({ status: 200, text: expect.stringContaining('"books"') });
  });

  test('refuses any other', async () => {
    const [ours, theirs] = [
      createCallTokens(testKeyRing, systemClock),
      createCallTokens(createKeyRing(Buffer.alloc(32, 8)), systemClock),
    ];
    expect((await call(undefined)).status).toBe(401);
    expect((await call(goodSession)).status).toBe(401);
    expect((await call(theirs.sign('library', body, context))).status).toBe(401);
    expect((await call(ours.sign('reviews', body, context))).status).toBe(401);
    expect((await call(ours.sign('library', body, context), body.replace('id', 'title'))).status).toBe(401);
  });

  test('takes calls of a part whose clock is up to two minutes off, and no older ones however often they come', async () => {
    const callAt = async (offSeconds: number) => {
      const clock = fixedClock(new Date(Date.now() + offSeconds * 1000));
      return (await call(createCallTokens(testKeyRing, clock).sign('library', body, context))).status;
    };
    expect(await Promise.all([-110, -60, 60, 110].map(callAt))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all([-3600, -160, 130, 3600].map(callAt))).toEqual([401, 401, 401, 401]);
  });

  test('that is gone shows nothing of itself but that it is', async () => {
    reviews.process.kill('SIGKILL');
    await once(reviews.process, 'exit');
    const { json } = await ask({ query: '{ book(id: "1") { title rating } }' });
    expect(json).toMatchObject({
      data: { book: null },
      errors: [{ extensions: { code: 'UNAVAILABLE', statusCode: 503 } }],
    });
    expect(JSON.stringify(json)).not.toMatch(/reviews|127\.0\.0\.1|ECONN/);
  });

  test('ends its streams and itself when that is requested', async () => {
    const sent = JSON.stringify({ query: 'subscription { bookChanged(id: "1") { what } }', variables: {} });
    const response = await fetch(library.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${createCallTokens(testKeyRing, systemClock).sign('library', sent, context)}`,
      },
      body: sent,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = response.text();
    expect(await stop(library)).toBe(0);
    expect(await text).toBe('event: complete\ndata:\n\n');
  });
});
