import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { until } from '../kit/until.js';
import { expectUnharmed, full, openTarget } from './kit.js';

const target = await openTarget();
afterAll(() => target.close());

/** Another network for each attack, so that none is stopped by what an earlier one spent. */
let attackers = 0;
const attacker = () => `127.0.2.${++attackers}`;

async function open(localAddress = attacker(), init = true): Promise<WebSocket> {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { localAddress });
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  if (!init) return socket;
  const acknowledged = new Promise((resolve) => socket.once('message', resolve));
  socket.send('{"type":"connection_init"}');
  await acknowledged;
  return socket;
}

interface Closed {
  readonly code: number;
  readonly reason: string;
}

const closing = (socket: WebSocket): Promise<Closed> =>
  new Promise((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    });
  });

const isOver = (socket: WebSocket) => socket.readyState !== socket.OPEN;

/** Sends the same frame until the socket closes, the connection takes no more for a while, or so many bytes were sent. */
async function flood(socket: WebSocket, frame: string, maxBytes: number): Promise<number> {
  let sent = 0;
  for (let stuckSince = Date.now(); !isOver(socket) && sent < maxBytes && Date.now() - stuckSince < 3_000;) {
    if (socket.bufferedAmount > 4_194_304) {
      await sleep(5);
      continue;
    }
    stuckSince = Date.now();
    for (let turn = 0; turn < 100; turn += 1) {
      socket.send(frame);
      sent += frame.length;
      if (socket.bufferedAmount > 4_194_304) break;
    }
    await sleep(0);
  }
  return sent;
}

const attackBytes = (full ? 400 : 60) * 1_048_576;

describe('a client that does not read', () => {
  test('and sends large pings is closed at the first one', async () => {
    const socket = await open();
    const closed = closing(socket);
    await flood(socket, JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(900_000) } }), attackBytes);
    expect([1009, 1006]).toContain((await closed).code);
    await expectUnharmed(target);
  });

  test.each([
    ['pings with a payload of the largest size', JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(980) } })],
    ['operations with long ids', JSON.stringify({ type: 'subscribe', id: 'i'.repeat(128), payload: { query: '{' } })],
    [
      'operations of the largest size',
      JSON.stringify({ type: 'subscribe', id: 'i', payload: { query: `{ a${' '.repeat(90_000)}` } }),
    ],
  ])('and sends %s is stopped, and leaves no memory behind', async (_name, frame) => {
    const before = target.memory().now;
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open()));
    await Promise.all(
      sockets.map(async (socket) => {
        const closed = closing(socket);
        socket.pause();
        const sent = await flood(socket, frame, attackBytes / 4);
        socket.terminate();
        await closed;
        // Either the server stopped it, or it was stopped by its own bound before it spent the limit of a minute.
        expect(sent).toBeGreaterThan(0);
      }),
    );
    await expectUnharmed(target);
    // The collector takes its time; what is kept stays.
    await until('the memory to be given back', () => target.memory().now - before < 100 * 1_048_576);
  });

  test('is closed with 4008 or dropped when it does not take what is queued for it in time', async () => {
    const socket = await open();
    const closed = closing(socket);
    socket.pause();
    // Each answer repeats the place of the error many times over: far more comes back than was sent.
    const query = `{ ${Array.from({ length: 400 }, (_, index) => `a${index}`).join(' ')} }`;
    const begun = Date.now();
    for (let id = 1; !isOver(socket) && Date.now() - begun < 25_000; id += 1) {
      if (socket.bufferedAmount < 65_536)
        socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query } }));
      await sleep(2);
      // Sees the end of the connection only while it reads.
      if (Date.now() - begun > 16_000) socket.resume();
    }
    const { code } = await closed;
    expect([1006, 1013, 4008]).toContain(code);
    await expectUnharmed(target);
  });
});

describe('every frame is charged to its caller', () => {
  test.each([
    [
      'pings of the protocol',
      (socket: WebSocket) => {
        socket.ping();
      },
    ],
    [
      'pongs that nobody asked for',
      (socket: WebSocket) => {
        socket.pong();
      },
    ],
    [
      'messages',
      (socket: WebSocket) => {
        socket.send('{"type":"pong"}');
      },
    ],
  ])('%s: beyond the limit the socket is closed with 1013', async (_name, send) => {
    const socket = await open();
    const closed = closing(socket);
    for (let sent = 0; sent < 31_000 && socket.readyState === socket.OPEN; sent += 1) {
      send(socket);
      if (sent % 500 === 0) await sleep(1);
    }
    expect((await closed).code).toBe(1013);
    await expectUnharmed(target);
  });

  test('documents that are not valid are limited too, for the whole network', async () => {
    const socket = await open();
    const answers: string[] = [];
    socket.on('message', (data: Buffer) => answers.push(data.toString()));
    let sent = 0;
    // In groups that wait for their answers: how many are let through depends on the limit, and not on who is faster.
    while (!answers.at(-1)?.includes('Too Many Requests: wait') && !isOver(socket) && sent < 3_000) {
      for (let turn = 0; turn < 50; turn += 1) {
        sent += 1;
        socket.send(JSON.stringify({ type: 'subscribe', id: String(sent), payload: { query: `{ nothing${sent}` } }));
      }
      await until('all responses', () => answers.length >= sent || isOver(socket));
    }
    expect(sent).toBeLessThan(3_000);
    socket.terminate();
    await expectUnharmed(target);
  });
});

test.each([
  ['next', { type: 'next', id: '1', payload: {} }],
  ['an id of 129 characters', { type: 'subscribe', id: 'i'.repeat(129), payload: { query: '{ __typename }' } }],
  ['a ping of two kilobytes', { type: 'ping', payload: { text: 'x'.repeat(2_000) } }],
  ['an unknown type', { type: 'hello' }],
])(
  'a message that the protocol does not have for clients (%s) is closed with 4400, and no error line',
  async (_name, message) => {
    const socket = await open();
    socket.send(JSON.stringify(message));
    expect((await closing(socket)).code).toBe(4400);
    expect(target.errors()).toEqual([]);
  },
);

describe('a connection', () => {
  test('that asks for a WebSocket by HTTP/1.0 is refused', async () => {
    const socket = connect(target.port, '127.0.0.1');
    socket.write(
      'GET /graphql HTTP/1.0\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that never says connection_init is closed with 4408', async () => {
    const socket = await open(attacker(), false);
    expect((await closing(socket)).code).toBe(4408);
  });

  test('whose peer does not answer the close frame ends all the same', async () => {
    const socket = await openRaw();
    socket.write(frameOf('{"type":"next","id":"1","payload":{}}'));
    await new Promise((resolve) => socket.once('close', resolve));
    await expectUnharmed(target);
  });

  test('that sends a message in thousands of pieces is closed', async () => {
    const socket = await openRaw();
    const pieces = Buffer.concat([
      frameOf('{', 0x01),
      ...Array.from({ length: 5_000 }, () => frameOf(' ', 0x00)),
      frameOf('}', 0x80),
    ]);
    socket.write(pieces);
    await new Promise((resolve) => socket.once('close', resolve));
    await expectUnharmed(target);
  });

  test('of many tiny frames at once does not keep others waiting', async () => {
    const socket = await openRaw();
    const ping = frameOf('', 0x89);
    const many = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
    for (let turn = 0; turn < 4; turn += 1) socket.write(many);
    await until('the program to answer', () => target.lives());
    await new Promise((resolve) => socket.once('close', resolve));
    await expectUnharmed(target);
  });
});

/** A WebSocket by hand, whose every byte is ours. It never reads frames and never answers. */
async function openRaw(): Promise<Socket> {
  const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: attacker() });
  socket.on('error', () => undefined);
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.on('data', () => undefined);
  return socket;
}

/** One masked frame of a client; 0x81 is a whole text message. */
function frameOf(text: string, head = 0x81): Buffer {
  return Buffer.concat([Buffer.from([head, 0x80 | Buffer.byteLength(text), 0, 0, 0, 0]), Buffer.from(text)]);
}

function textOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => (text += data.toString()));
    socket.on('close', () => {
      resolve(text);
    });
  });
}
