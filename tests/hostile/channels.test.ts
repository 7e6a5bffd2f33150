import { afterAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { expectUnharmed, full, openTarget } from './kit.js';

const target = await openTarget({ template: 'empty' });
afterAll(() => target.close());

/** Another network for each attack, so that none is stopped by what an earlier one spent. */
let attackers = 0;
const attacker = () => `127.0.3.${++attackers}`;

async function open(localAddress = attacker()): Promise<WebSocket> {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/ws`, { localAddress });
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

const closing = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));

/** Sends a frame again and again, until the socket closes or it was sent often enough. */
async function flood(socket: WebSocket, frame: string | Buffer): Promise<void> {
  for (let sent = 0; sent < (full ? 400_000 : 60_000) && socket.readyState === socket.OPEN; sent += 1) {
    socket.send(frame);
    if (sent % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe('a socket at /ws', () => {
  test.each([
    ['pings', '{"action":"ping"}'],
    ['nested arrays', '['.repeat(8_000)],
    [
      'subscriptions with a token that looks like one',
      JSON.stringify({
        action: 'subscribe',
        channel: 'balance',
        token: `${Buffer.from('{"alg":"EdDSA","typ":"at+jwt"}').toString('base64url')}.e30.AAAA`,
      }),
    ],
  ])('that is flooded with %s is closed when its limit is spent', async (_name, frame) => {
    const socket = await open();
    const closed = closing(socket);
    await flood(socket, frame);
    expect([1006, 1013]).toContain(await closed);
    await expectUnharmed(target);
  });

  test('that never reads is closed or dropped', async () => {
    const socket = await open();
    const closed = closing(socket);
    socket.pause();
    await flood(socket, JSON.stringify({ action: 'subscribe', channel: 'x'.repeat(60) }));
    socket.resume();
    expect([1006, 1013, 4008]).toContain(await closed);
    await expectUnharmed(target);
  });

  test('takes no message in a thousand pieces', async () => {
    const socket = await open();
    const closed = closing(socket);
    for (let piece = 0; piece < 1_000 && socket.readyState === socket.OPEN; piece += 1)
      socket.send('x', { fin: false });
    await closed;
    await expectUnharmed(target);
  });

  test('shares the places of a network with those of GraphQL', async () => {
    const localAddress = attacker();
    const sockets: WebSocket[] = [];
    const refused = async () => {
      for (let count = 0; count < 2_000; count += 1) {
        try {
          sockets.push(await open(localAddress));
        } catch (error) {
          return String(error);
        }
      }
      return 'none';
    };
    expect(await refused()).toContain('429');
    const graphql = new WebSocket(`${target.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      localAddress,
    });
    const answer = await new Promise((resolve) =>
      graphql.once('error', (error) => {
        resolve(String(error));
      }),
    );
    expect(answer).toContain('429');
    for (const socket of sockets) socket.terminate();
    await expectUnharmed(target);
  });
});
