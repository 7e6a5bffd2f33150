import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { openTestDatabase } from '../kit/database.js';
import { testMasterKey } from '../kit/context.js';
import { build, killGroup, startProgram } from './program.js';

const count = 20;
await build();
const database = await openTestDatabase();
const program = startProgram({
  env: { DATABASE_URL: database.url, MASTER_KEY: testMasterKey.toString('base64'), DRAIN_SECONDS: '8' },
});
afterAll(async () => {
  await killGroup(program);
  await database.close();
});

async function socketOf(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  return socket;
}

test('a process that leaves is not ready, serves those who come, and sends sockets away one after the other', async () => {
  const url = await program.ready;
  const sockets = await Promise.all(Array.from({ length: count }, () => socketOf(url)));
  const codes: number[] = [];
  const gone = sockets.map(async (socket) => {
    const [code] = (await once(socket, 'close')) as [number];
    codes.push(code);
  });
  program.child.kill('SIGTERM');
  await Promise.race(gone);

  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  const served = await fetch(`${url}/public/patrimonies`);
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  // Others are open still, and work.
  const last = sockets.findLast(({ readyState }) => readyState === WebSocket.OPEN);
  last?.send('{"type":"ping"}');
  const [pong] = (await once(last ?? new WebSocket(url), 'message')) as [Buffer];
  expect(pong.toString()).toBe('{"type":"pong"}');

  await Promise.all(gone);
  expect(codes).toEqual(Array.from({ length: count }, () => 1012));
  expect(await program.ended).toEqual({ code: 0, signal: null });
});
