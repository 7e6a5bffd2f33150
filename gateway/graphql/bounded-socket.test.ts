import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../tests/kit/until.js';
import { boundedServerOptions, boundSocket, type BoundedSocket } from './bounded-socket.js';
import { createSendBudget } from './socket-limits.js';

const server = new WebSocketServer({ ...boundedServerOptions, noServer: true, maxPayload: 2 * 1_048_576 });

const http = createServer();
http.listen(0, '127.0.0.1');
await once(http, 'listening');
afterAll(async () => {
  server.close();
  http.close();
  await once(http, 'close');
});

/** Connects a client and the server's side of its connection, which waits 50 ms for a peer that does not read. */
async function pair(): Promise<{ client: WebSocket; socket: WebSocket; stream: Socket; bounded: BoundedSocket }> {
  const upgraded = new Promise<[WebSocket, Socket]>((resolve) => {
    http.once('upgrade', (request, stream, head) => {
      server.handleUpgrade(request, stream, head, (socket) => {
        resolve([socket, request.socket]);
      });
    });
  });
  const { port } = http.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${String(port)}`);
  const [socket, stream] = await upgraded;
  if (client.readyState === WebSocket.CONNECTING) await once(client, 'open');
  socket.on('error', () => undefined);
  const bounded = boundSocket(socket, {
    stream,
    budget: createSendBudget(),
    bounds: { drainMs: 50, leastBytesPerSecond: 1_000_000_000, maxQueuedBytes: 1_000_000_000 },
    pointsOf: () => 1,
    charge: () => Promise.resolve(true),
    onMessage: () => undefined,
  });
  return { client, socket, stream, bounded };
}

test('a peer that does not read what is queued for it is closed with 4008', async () => {
  const { client, socket, bounded } = await pair();
  const closed = once(client, 'close');
  client.pause();
  const message = Buffer.alloc(1_048_576, 'x');
  await until('the socket to be closed', () => {
    void bounded.send(message);
    return socket.readyState !== WebSocket.OPEN;
  });
  client.resume();
  expect((await closed)[0]).toBe(4008);
});

test('what is sent in one turn arrives whole and in its order, and so does what is sent before the close', async () => {
  const { client, bounded } = await pair();
  const texts: string[] = [];
  client.on('message', (data: Buffer) => texts.push(data.toString()));
  for (let number = 0; number < 100; number += 1) void bounded.send(String(number));
  bounded.close(4000, 'done');
  const [code] = (await once(client, 'close')) as [number];
  expect([code, texts]).toEqual([4000, Array.from({ length: 100 }, (_, number) => String(number))]);
});

test('little is read of a peer that goes on sending after the close', async () => {
  const { client, socket, stream, bounded } = await pair();
  bounded.close(1013, 'spent');
  // The client does not read, and so never sees the close.
  client.pause();
  const message = Buffer.alloc(1_048_576, 'x');
  for (let number = 0; number < 40; number += 1) client.send(message);
  await once(socket, 'close');
  expect(stream.bytesRead).toBeGreaterThan(0);
  expect(stream.bytesRead).toBeLessThan(4 * message.length);
});

test('a message that is too long for the server is closed with 1009, and the client sees it', async () => {
  const { client } = await pair();
  client.send(Buffer.alloc(3 * 1_048_576, 'x'));
  const [code] = (await once(client, 'close')) as [number];
  expect(code).toBe(1009);
});
