import http from 'node:http';
import net from 'node:net';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { sign } from '../../examples/signed-client/client.mjs';

/**
 * The attacks of a single attacker, each from 127.0.0.1 until `signal` aborts: all anonymous, except those that sign. An attack runs as fast as the
 * program permits: what is rejected or closed is tried again.
 * @type {{name: string, run: (target: {port: number, url: string, signer?: {clientId: string, privateKey: string}}, signal: AbortSignal) =>
 *   Promise<void>}[]}
 */
export const attacks = [
  {
    name: 'pings over WebSocket, unread',
    run: unread(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(900) } })),
  },
  {
    name: 'large pings over WebSocket, unread',
    run: unread(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(900_000) } })),
  },
  {
    name: 'operations with long ids over WebSocket, unread',
    run: unread(JSON.stringify({ type: 'subscribe', id: 'i'.repeat(128), payload: { query: '{ nothing' } })),
  },
  { name: 'server-only messages over WebSocket', run: unread('{"type":"next","id":"1","payload":{}}') },
  {
    name: 'a search for 1 MB of U+FDFA, thirty aliases',
    run: posts(() =>
      graphql(
        `{ ${aliases(30, 'assets(filter: { search: "SEARCH" }, first: 1) { totalCount }')} }`.replaceAll(
          'SEARCH',
          '\ufdfa'.repeat(11_000),
        ),
      ),
    ),
  },
  { name: 'JSON 500,000 deep', run: posts(() => '['.repeat(500_000)) },
  {
    name: 'bodies of 1 MB',
    run: posts(() => JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(1_000_000) } })),
  },
  { name: 'queries of 1 MB', run: posts(() => graphql(`{ ${'a'.repeat(1_000_000)} }`)) },
  { name: '600 unfinished bodies of 1 MiB', run: unfinished(600) },
  { name: '1,500 connections that ask without end', run: storm(1_500) },
  { name: 'requests without waiting for responses', run: pipelined(50) },
  { name: 'ten signed bodies of 2 MiB at once, nested', run: signed(10, () => '['.repeat(2_097_152)) },
  {
    name: 'sixteen signed bodies of 2 MiB at once, flat',
    run: signed(16, () => `{"contracts":[${'{"externalId":"A"},'.repeat(110_000)}{}]}`),
  },
  { name: '1,500 silent connections', run: silent(1_500) },
];

function graphql(query) {
  return JSON.stringify({ query });
}

function aliases(count, field) {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
}

/** Returns an attack by WebSockets that send one frame again and again, and read nothing. */
function unread(frame) {
  return ({ url }, signal) => many(4, signal, () => floodSocket(`${url.replace('http', 'ws')}/graphql`, frame, signal));
}

async function floodSocket(url, frame, signal) {
  const socket = new WebSocket(url, 'graphql-transport-ws', { handshakeTimeout: 5_000 });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), closed]);
  if (socket.readyState === socket.OPEN) socket.send('{"type":"connection_init"}');
  await sleep(50);
  socket.pause();
  let stuck = 0;
  while (socket.readyState === socket.OPEN && !signal.aborted && stuck < 500) {
    for (let turn = 0; turn < 50 && socket.bufferedAmount < 2_000_000; turn += 1) socket.send(frame);
    stuck = socket.bufferedAmount < 2_000_000 ? 0 : stuck + 1;
    await sleep(2);
  }
  socket.terminate();
  await closed;
}

/** Returns an attack by POSTs of one body to the graph, eight at once. */
function posts(bodyOf) {
  return ({ port }, signal) => {
    const body = Buffer.from(bodyOf());
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    return many(8, signal, () => ask({ port, path: '/graphql', method: 'POST', headers, agent }, body));
  };
}

/** Returns an attack by validly signed POSTs of one body, `count` at once. */
function signed(count, bodyOf) {
  return ({ port, signer }, signal) => {
    const body = Buffer.from(bodyOf());
    const agent = new http.Agent({ keepAlive: true, maxSockets: count });
    const [method, path] = ['POST', '/tidc/v1/credit-batches'];
    return many(count, signal, () => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-client-id': signer.clientId,
        'x-timestamp': timestamp,
        'x-signature': sign(signer.privateKey, { method, target: path, timestamp, body }),
        'x-idempotency-key': randomUUID(),
      };
      return ask({ port, path, method, headers, agent }, body);
    });
  };
}

function storm(connections) {
  return ({ port }, signal) => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    return many(connections, signal, () => ask({ port, path: '/public/tranches?limit=1', agent }));
  };
}

function unfinished(count) {
  const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n';
  const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(1_048_000, 32)]);
  return ({ port }, signal) => many(count, signal, () => hold(port, signal, bytes));
}

function pipelined(count) {
  const requests = Buffer.from('GET /public/tranches?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
  return ({ port }, signal) => many(count, signal, () => hold(port, signal, requests));
}

function silent(count) {
  return ({ port }, signal) => many(count, signal, () => hold(port, signal));
}

/**
 * Bytes that the attacker's link carries in a millisecond: 1 Gbit/s. Unlimited loopback traffic would delay everyone's packets rather than load the
 * program.
 */
const linkBytes = 125_000;
const pieceBytes = 65_536;
let linkFreeAt = 0;

/** Opens a connection that sends these bytes and stays open until the server closes it. */
async function hold(port, signal, bytes = Buffer.alloc(0)) {
  const socket = net.connect(port, '127.0.0.1');
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop);
  socket.on('error', () => undefined).on('data', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let from = 0; from < bytes.length && !socket.destroyed; from += pieceBytes) {
    const piece = bytes.subarray(from, from + pieceBytes);
    linkFreeAt = Math.max(linkFreeAt, performance.now()) + piece.length / linkBytes;
    await sleep(linkFreeAt - performance.now());
    socket.write(piece);
  }
  await closed;
  signal.removeEventListener('abort', stop);
}

function ask(options, body) {
  return new Promise((resolve) => {
    const asked = http.request({ host: '127.0.0.1', timeout: 10_000, ...options });
    asked.once('timeout', () => asked.destroy()).once('error', resolve);
    asked.once('response', (response) => response.resume().once('close', resolve));
    asked.end(body);
  });
}

/** Repeats an act, so many times in parallel, until the signal. */
async function many(count, signal, act) {
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (!signal.aborted) {
        const begun = performance.now();
        await act();
        // An act that fails at once is retried at most a hundred times a second by each.
        if (performance.now() - begun < 1) await sleep(10);
      }
    }),
  );
}
