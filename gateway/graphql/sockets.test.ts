import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createClient, type Client, type ClientOptions, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createLocalBus, type Bus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { Database } from '../../shared/database/database.js';
import { createLog } from '../../shared/kernel/log.js';
import { testPlugin, type PluginParts } from '../../tests/graph/kit.js';
import { goodKey, goodSession, open, testCallers } from '../../tests/rest/edge-kit.js';
import { rateLimitsOf } from '../../tests/kit/rate-limits.js';
import { until } from '../../tests/kit/until.js';

const opened: { app?: FastifyInstance; clients: Client[]; sockets: WebSocket[] } = { clients: [], sockets: [] };

afterEach(async () => {
  for (const client of opened.clients.splice(0)) await client.dispose();
  for (const socket of opened.sockets.splice(0)) socket.terminate();
  await opened.app?.close();
  delete opened.app;
});

async function place(parts: PluginParts = {}) {
  const bus = createLocalBus();
  let listeners = 0;
  const counting: Bus = {
    ...bus,
    listen: async (topic, listener) => {
      const stop = await bus.listen(topic, listener);
      listeners += 1;
      return async () => {
        listeners -= 1;
        await stop();
      };
    },
  };
  const manager = new Database({ type: 'postgres' }).manager;
  const app = await testPlugin({
    parts: { parts: { clock: systemClock, log: createLog('silent'), manager, bus: counting } },
    ...parts,
  });
  opened.app = app;
  const url = (await open(app)).replace('http', 'ws');
  return { app, url: `${url}/graphql`, bus, listeners: () => listeners };
}

function connect(url: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, ...options });
  opened.clients.push(client);
  return client;
}

/** Opens a plain socket, for what the client library would not do. */
async function raw(url: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
  opened.sockets.push(socket);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

const closing = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));

/** Retries until the server has noticed that a peer has disconnected. */
const inTheEnd = (act: () => Promise<unknown>) => until('room for a connection', () => act().then(() => true));

const session = { connectionParams: { Authorization: `Bearer ${goodSession}` } };
const subscription = 'subscription { bookChanged(id: "1") { what book { title rating } } }';

/** A client that has subscribed; `closed` is the close of its socket. */
function reader(url: string) {
  let close: (event: unknown) => void = () => undefined;
  const closed = new Promise<unknown>((resolve) => (close = resolve));
  const client = connect(url, { ...session, on: { closed: close } });
  client
    .iterate({ query: subscription })
    .next()
    .catch(() => undefined);
  return { client, closed };
}

type Known = ReturnType<ReturnType<typeof testCallers>['authenticate']>;

/** The usual callers, of whose credentials the test says what is known. */
function callersBy(say: (known: () => Known) => Known) {
  const callers = testCallers();
  return {
    ...callers,
    authenticate: (...given: Parameters<typeof callers.authenticate>) => say(() => callers.authenticate(...given)),
  };
}

describe('GraphQL over WebSocket', () => {
  test('sends each event, reaching into another subgraph, and lets go of the source when the client does', async () => {
    const { url, bus, listeners } = await place();
    const events = connect(url, session).iterate({ query: subscription });
    const first = events.next();
    await until('the subscription', () => listeners() === 1);
    await bus.publish('book', { id: '1', what: 'moved' });
    expect((await first).value).toEqual({
      data: { bookChanged: { what: 'moved (1)', book: { title: 'Dom Casmurro', rating: 3 } } },
    });
    await events.return?.();
    await until('the subscription to end', () => listeners() === 0);
  });

  test('tells a client that asks for it what an operation cost', async () => {
    const { url, bus, listeners } = await place();
    const told = { connectionParams: { Authorization: `Bearer ${goodSession}`, 'X-Query-Cost': 'true' } };
    const client = connect(url, told);
    const query = client.iterate({ query: '{ books(first: 20) { place { __typename } } }' });
    const throttleStatus = {
      maximumAvailable: 1000,
      currentlyAvailable: expect.any(Number),
      resetsAt: expect.any(String),
    };
    expect((await query.next()).value).toMatchObject({
      extensions: { cost: { requestedQueryCost: 21, actualQueryCost: 4, throttleStatus } },
    });
    const events = client.iterate({ query: subscription });
    const first = events.next();
    await until('the subscription', () => listeners() === 1);
    await bus.publish('book', { id: '1', what: 'moved' });
    expect((await first).value).toMatchObject({ extensions: { cost: { requestedQueryCost: 10, throttleStatus } } });
    const second = events.next();
    await bus.publish('book', { id: '1', what: 'sold' });
    expect((await second).value).not.toHaveProperty('extensions');
    const silent = connect(url, session).iterate({ query: '{ books(first: 20) { id } }' });
    expect((await silent.next()).value).not.toHaveProperty('extensions');
  });

  test('says where in the document a field of an event failed', async () => {
    const { url, bus, listeners } = await place();
    const events = connect(url, session).iterate({
      query: 'subscription {\n bookChanged(id: "1") { book {\n rating originator } } }',
    });
    const first = events.next();
    await until('the subscription', () => listeners() === 1);
    await bus.publish('book', { id: '1', what: 'moved' });
    expect((await first).value).toMatchObject({
      errors: [{ path: ['bookChanged', 'book', 'originator'], locations: [{ line: 3, column: 9 }] }],
    });
  });

  test('lets go of every source when the connection is lost', async () => {
    const { url, listeners } = await place();
    const client = connect(url, session);
    const streams = [1, 2, 3].map(() => client.iterate({ query: subscription }));
    for (const stream of streams) stream.next().catch(() => undefined);
    await until('three subscriptions', () => listeners() === 3);
    client.terminate();
    await until('the subscriptions to end', () => listeners() === 0);
  });

  test('runs queries too, and knows the caller by the headers of the upgrade', async () => {
    const { url } = await place();
    const socket = await raw(url, { authorization: `Bearer ${goodSession}` });
    const messages: unknown[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
    socket.send('{"type":"connection_init"}');
    await until('the acknowledgement', () => messages.length === 1);
    socket.send('{"id":"1","type":"subscribe","payload":{"query":"{ reader }"}}');
    await until('the result and its end', () => messages.length === 3);
    expect(messages).toEqual([
      { type: 'connection_ack' },
      { id: '1', type: 'next', payload: { data: { reader: 'account-1' } } },
      { id: '1', type: 'complete' },
    ]);
  });

  test.each([
    ['X-API-Key', goodKey],
    ['x-api-key', goodKey],
    ['authorization', `Bearer ${goodSession}`],
  ])('takes %s from the first message', async (name, value) => {
    const { url, bus, listeners } = await place();
    const events = connect(url, { connectionParams: { [name]: value } }).iterate({ query: subscription });
    const first = events.next();
    await until('the subscription', () => listeners() === 1);
    await bus.publish('book', { id: '1', what: 'moved' });
    expect((await first).value).toHaveProperty('data.bookChanged.what');
  });

  test.each([
    'subscription { bookChanged(id: "1") @skip(if: true) { what } }',
    'subscription ($no: Boolean! = false) { bookChanged(id: "1") @include(if: $no) { what } }',
    'subscription { ...Changes @include(if: true) } fragment Changes on Subscription { bookChanged(id: "1") { what } }',
    'subscription { ... @skip(if: false) { bookChanged(id: "1") { what } } }',
    'subscription { ...Changes } fragment Changes on Subscription { ... { bookChanged(id: "1") @skip(if: false) { what } } }',
  ])('takes no condition at the root of a subscription: %s', async (query) => {
    const { url } = await place();
    const results = connect(url, session).iterate({ query });
    const refused = [
      { message: expect.stringContaining('root of a subscription'), extensions: { code: 'BAD_REQUEST' } },
    ];
    await expect(results.next()).rejects.toMatchObject(refused);
  });

  test('answers an error to the operation and keeps the socket', async () => {
    const { url } = await place();
    const client = connect(url);
    const results: unknown[] = [];
    const ask = (query: string) =>
      new Promise<void>((resolve) => {
        client.subscribe(
          { query },
          {
            next: (value) => results.push(value),
            error: (error) => {
              results.push(error);
              resolve();
            },
            complete: resolve,
          },
        );
      });
    await ask('{ nothing nowhere }');
    await ask('{ echo');
    await ask(subscription);
    await ask('{ echo }');
    expect(results).toMatchObject([
      [3, 11].map((column) => ({
        locations: [{ line: 1, column }],
        extensions: { code: 'BAD_REQUEST', statusCode: 400, details: [{}] },
      })),
      [{ locations: [{ line: 1, column: 7 }], extensions: { code: 'BAD_REQUEST', statusCode: 400 } }],
      { errors: [{ extensions: { code: 'UNAUTHORIZED', statusCode: 401 } }] },
      { data: { echo: '1.50' } },
    ]);
  });
});

describe('a GraphQL socket', () => {
  test('closes with 4401 for a credential that is no good', async () => {
    const { url } = await place();
    const socket = await raw(url);
    socket.send('{"type":"connection_init","payload":{"Authorization":"Bearer nonsense"}}');
    expect(await closing(socket)).toBe(4401);
  });

  test('is not opened for an upgrade whose credential is no good', async () => {
    const { url } = await place();
    await expect(raw(url, { 'x-api-key': 'nonsense' })).rejects.toThrow('401');
  });

  test('closes with 4401 when its credential ends', async () => {
    let good = true;
    const { url, listeners } = await place({
      callers: callersBy((known) => (good ? known() : Promise.resolve(undefined))),
      heartbeatMs: 150,
    });
    const { closed } = reader(url);
    await until('the subscription', () => listeners() === 1);
    await sleep(120);
    expect(listeners()).toBe(1);
    good = false;
    expect(await closed).toMatchObject({ code: 4401 });
    await until('the subscription to end', () => listeners() === 0);
  });

  test('closes with 4401 when its credential may do less than before', async () => {
    let scopes = ['confirmed', 'read'];
    const { url, listeners } = await place({
      callers: callersBy(async (known) => {
        const principal = await known();
        return principal && { ...principal, scopes };
      }),
      heartbeatMs: 150,
    });
    const { closed } = reader(url);
    await until('the subscription', () => listeners() === 1);
    scopes = ['confirmed'];
    expect(await closed).toMatchObject({ code: 4401 });
    await until('the subscription to end', () => listeners() === 0);
  });

  test('begins nothing for a credential that was revoked a moment ago', async () => {
    let good = true;
    const { url, listeners } = await place({
      callers: callersBy((known) => (good ? known() : Promise.resolve(undefined))),
    });
    const { client, closed } = reader(url);
    await until('the subscription', () => listeners() === 1);
    good = false;
    client
      .iterate({ query: '{ reader }' })
      .next()
      .catch(() => undefined);
    expect(await closed).toMatchObject({ code: 4401 });
    await until('the subscription to end', () => listeners() === 0);
  });

  test('answers an error, and stays, when it is unknown whether a new operation may begin', async () => {
    let asked = 0;
    const { url } = await place({
      callers: callersBy((known) => (asked++ === 0 ? known() : Promise.reject(new Error('down')))),
    });
    const client = connect(url, { ...session, lazy: false });
    const ask = () => client.iterate({ query: '{ reader }' }).next();
    await expect(ask()).rejects.toMatchObject([{ extensions: { code: 'INTERNAL', statusCode: 500 } }]);
    await expect(ask()).rejects.toMatchObject([{ extensions: { code: 'INTERNAL', statusCode: 500 } }]);
  });

  test('closes with 4500 when it is unknown whether the credential of its first message is good', async () => {
    const { url } = await place({
      callers: callersBy(() => Promise.reject(new Error('down'))),
    });
    const socket = await raw(url);
    socket.send(`{"type":"connection_init","payload":{"X-API-Key":"${goodKey}"}}`);
    expect(await closing(socket)).toBe(4500);
  });

  test('finds a place while its network and the process have one, and gives it back when it closes', async () => {
    const { url } = await place({ sockets: { max: 3, maxPerNetwork: 2 }, edge: { trustProxy: ['127.0.0.1'] } });
    const from = (address: string) => raw(url, { 'x-forwarded-for': address });
    const first = await from('2001:db8:0:1::1');
    await from('2001:db8:0:1::2');
    await expect(from('2001:db8:0:1::3')).rejects.toThrow('429');
    const other = await from('2001:db8:0:2::1');
    await expect(from('203.0.113.9')).rejects.toThrow('503');
    for (const socket of [first, other]) {
      socket.close();
      await closing(socket);
    }
    await inTheEnd(() => from('2001:db8:0:1::3'));
    await expect(from('2001:db8:0:1::4')).rejects.toThrow('429');
    await inTheEnd(() => from('203.0.113.9'));
  });

  test.each([
    ['a network', { max: 9, maxPerNetwork: 2, maxPerOwner: 9 }, 'TOO_MANY_REQUESTS'],
    ['an owner', { max: 9, maxPerNetwork: 9, maxPerOwner: 2 }, 'TOO_MANY_REQUESTS'],
    ['the process', { max: 2, maxPerNetwork: 9, maxPerOwner: 9 }, 'UNAVAILABLE'],
  ])('runs no more subscriptions of %s than it may, over all sockets', async (_of, subscriptions, code) => {
    const { url, listeners } = await place({ subscriptions });
    const begin = () => connect(url, session).iterate({ query: subscription });
    const begun = [begin(), begin()];
    for (const events of begun) void events.next();
    await until('both subscriptions', () => listeners() === 2);
    const { errors } = (await begin().next()).value as FormattedExecutionResult;
    expect(errors).toMatchObject([{ extensions: { code, retryAfterSeconds: 60, requestId: expect.any(String) } }]);
    await begun[0]?.return?.();
    await until('one subscription to end', () => listeners() === 1);
    void begin().next();
    await until('another subscription', () => listeners() === 2);
  });

  test('that is refused by the protocol leaves its place too', async () => {
    const { url } = await place({ sockets: { max: 1, maxPerNetwork: 1 } });
    const broken = await fetch(url.replace('ws', 'http')).then((answer) => answer.status);
    expect(broken).toBe(400);
    for (let turn = 0; turn < 3; turn++) {
      const { port } = new URL(url);
      const socket = connectTcp(Number(port), '127.0.0.1');
      socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      const text = await new Promise<string>((resolve) => {
        let heard = '';
        socket
          .on('data', (data) => (heard += data.toString()))
          .on('close', () => {
            resolve(heard);
          });
      });
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    }
    await inTheEnd(() => raw(url));
  });

  test('names nothing of the schema that its peer did not, where introspection is off', async () => {
    const { url } = await place({ graphql: { introspection: false } });
    const results = connect(url, session).iterate({ query: 'subscription { bookChnged(id: "1") { what } }' });
    await expect(results.next()).rejects.toMatchObject([{ message: expect.not.stringContaining('Did you mean') }]);
  });

  test('stays open while it is unknown whether its credential is good', async () => {
    let asked = 0;
    const { url, listeners } = await place({
      callers: callersBy((known) => (asked++ < 2 ? known() : Promise.reject(new Error('down')))),
      heartbeatMs: 90,
    });
    const events = connect(url, session).iterate({ query: subscription });
    events.next().catch(() => undefined);
    await until('the subscription and the further look at its caller', () => listeners() === 1 && asked > 3);
    expect(listeners()).toBe(1);
  });

  test('is let go when its peer does not answer pings', async () => {
    const { url, listeners } = await place({ heartbeatMs: 60 });
    const socket = new WebSocket(url, 'graphql-transport-ws', {
      autoPong: false,
      headers: { authorization: `Bearer ${goodSession}` },
    });
    opened.sockets.push(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    socket.once('message', () => {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: subscription } }));
    });
    await until('the subscription', () => listeners() === 1);
    await closing(socket);
    await until('the subscription to end', () => listeners() === 0);
  });

  test('holds only so many operations at once', async () => {
    const { url, listeners } = await place({ edge: { rateLimits: rateLimitsOf(9, { graphql: 10_000 }) } });
    const client = connect(url, session);
    const streams = Array.from({ length: 101 }, () => client.iterate({ query: subscription }));
    const refused: unknown[] = [];
    for (const stream of streams) stream.next().then(undefined, (error: unknown) => refused.push(error));
    await until('100 subscriptions and one refusal', () => listeners() === 100 && refused.length === 1);
    expect(refused).toMatchObject([[{ extensions: { code: 'TOO_MANY_REQUESTS' } }]]);
  });

  test('spends from the same points as requests do', async () => {
    const { url } = await place({ edge: { rateLimits: rateLimitsOf(9) } });
    const client = connect(url);
    const result = client.iterate({ query: '{ books { others { id } } }' }).next();
    await expect(result).rejects.toMatchObject([{ extensions: { code: 'TOO_MANY_REQUESTS', statusCode: 429 } }]);
  });

  test.each([
    ['cannot be read', '{'],
    ['cannot be read and is long', `{ a${' '.repeat(9_500)}`],
    ['is not valid', '{ nothing }'],
  ])('charges for a document that %s as over HTTP', async (_name, query) => {
    const { url } = await place();
    const post = async (text: string) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url.replace('ws', 'http'), {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: text }),
      });
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const socket = await raw(url);
    const messages: Buffer[] = [];
    socket.on('message', (data: Buffer) => messages.push(data));
    socket.send('{"type":"connection_init"}');
    await until('the acknowledgement', () => messages.length === 1);
    await post('{ echo }');
    const before = await post('{ echo }');
    const overHttp = before - (await post(query));
    const between = await post('{ echo }');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    await until('the result', () => messages.length === 2);
    const overSocket = between - (await post('{ echo }')) - 1;
    expect(overHttp).toBeGreaterThan(50);
    expect(overSocket).toBe(overHttp);
  });

  test('takes variables as deep as a request does, and closes on deeper ones', async () => {
    const { url } = await place();
    const socket = await raw(url);
    const messages: string[] = [];
    socket.on('message', (data: Buffer) => messages.push(data.toString()));
    socket.send('{"type":"connection_init"}');
    await until('the acknowledgement', () => messages.length === 1);
    const message = (levels: number) => {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      return `{"id":"1","type":"subscribe","payload":{"query":"{ echo }","variables":{"deep":${deep}}}}`;
    };
    socket.send(message(62));
    await until('the result and its end', () => messages.length === 3);
    expect(messages.at(-1)).toContain('complete');
    socket.send(message(63));
    expect(await closing(socket)).toBe(4400);
  });

  test.each([[[]], [['graphql-ws']], [['evil']]])(
    'closes with 4406 where its client speaks another protocol: %j',
    async (protocols) => {
      const { url } = await place();
      const socket = connectTcp(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
      const offer = protocols.map((protocol) => `Sec-WebSocket-Protocol: ${protocol}\r\n`).join('');
      socket.write(
        `GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${offer}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
      let answer = '';
      socket.on('data', (data) => (answer += String(data)));
      await until('the reason of the close', () => answer.includes('\x11\x36Subprotocol not acceptable'));
      socket.destroy();
    },
  );

  test('takes an empty name of an operation for none, and empty headers for no credential', async () => {
    const { url } = await place();
    const client = connect(url, { connectionParams: { Authorization: '', 'X-API-Key': '' } });
    const results = client.iterate({ query: '{ echo }', operationName: '' });
    expect((await results.next()).value).toEqual({ data: { echo: '1.50' } });
  });

  test('takes a message that begins with a byte order mark, and empty parts for none, and closes on one with a name twice, which it names', async () => {
    const { url } = await place();
    const socket = await raw(url);
    const messages: string[] = [];
    socket.on('message', (data: Buffer) => messages.push(data.toString()));
    socket.send('\uFEFF{"type":"connection_init"}');
    await until('the acknowledgement', () => messages.length === 1);
    socket.send('{"id":"0","type":"subscribe","payload":{"query":"{ echo }","variables":"","extensions":""}}');
    await until('the result', () => messages.length === 3);
    socket.send('{"id":"2","type":"subscribe","payload":{"query":"","extensions":{"documentId":"unknown"}}}');
    await until('the answer about the id', () => messages.length === 4);
    expect(messages[3]).toContain('"id":"2"');
    expect(messages[1]).toContain('1.50');
    const closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, reason.toString()])));
    socket.send('{"id":"1","type":"subscribe","payload":{"query":"{ echo }","variables":{"a":1,"a":2}}}');
    expect(await closed).toEqual([4400, 'payload.variables.a is given twice: send it once']);
  });

  test('closes on what is no message', async () => {
    const { url } = await place();
    const socket = await raw(url);
    socket.send('nonsense');
    expect(await closing(socket)).toBe(4400);
  });

  test('gets a close frame when the server closes, which does not wait for it', async () => {
    const { app, url, listeners } = await place();
    const { closed } = reader(url);
    await until('the subscription', () => listeners() === 1);
    const begun = Date.now();
    await app.close();
    expect(await closed).toMatchObject({ code: 1001 });
    expect(Date.now() - begun).toBeLessThan(4_000);
    expect(listeners()).toBe(0);
  });
});

describe('a request to change the protocol', () => {
  test('elsewhere is refused, and the connection ends', async () => {
    const { url } = await place();
    await expect(raw(url.replace('/graphql', '/nowhere'))).rejects.toThrow('404');
    await expect(raw(url.replace('/graphql', '/healthz'))).rejects.toThrow('400');
  });

  test('goes to HTTPS where that is required', async () => {
    const { url } = await place({ edge: { requireHttps: true } });
    await expect(raw(url)).rejects.toThrow('301');
  });
});
