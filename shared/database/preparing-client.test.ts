import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { PreparingClient } from './preparing-client.js';

/** What a server says that lets a client in and ends in the same breath. */
const lastWords = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')),
]);

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

let server: Server;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.once('data', () => socket.end(lastWords));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.close();
});

test('a server that ends while it hands out a connection fails the next query, and not the process', async () => {
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ Client: PreparingClient, host: '127.0.0.1', port, user: 'lastro', database: 'lastro' });
  const client = await pool.connect();
  await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminat/);
  client.release(true);
  await pool.end();
});
