import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { openTestDatabase } from '../../tests/kit/database.js';
import { PreparingClient } from './preparing-client.js';

/** The messages of a server that accepts a client and shuts down immediately. */
const lastWords = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')),
]);

/** The length in bytes of the part that accepts the client. */
const letIn = 9 + 6;

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

test('a statement without a response fails by its deadline, and its connection is not given back', async () => {
  const { port } = server.address() as AddressInfo;
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    // Accepts the client and sends nothing more.
    socket.once('data', () => socket.write(lastWords.subarray(0, letIn)));
    socket.on('error', () => undefined);
  });
  const options = { host: '127.0.0.1', port, user: 'lastro', database: 'lastro', query_timeout: 100 };
  const pool = new pg.Pool({ ...options, Client: PreparingClient });
  const client = await pool.connect();
  await expect(client.query('SELECT 1')).rejects.toThrow(/^Query read timeout$/);
  await expect(client.query('SELECT 2')).rejects.toThrow(/not queryable/);
  client.release();
  expect(pool.totalCount).toBe(0);
  await expect(pool.query('SELECT $1', ['3'])).rejects.toThrow(/^Query read timeout$/);
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

test('a statement that takes too long is ended by PostgreSQL, and its connection goes on', async () => {
  const database = await openTestDatabase({ poolSize: 1, statementTimeoutMs: 1_000 });
  const backend = 'SELECT pg_backend_pid() AS pid';
  const before: unknown = await database.dataSource.query(backend);
  await expect(database.dataSource.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
  expect(await database.dataSource.query(backend)).toEqual(before);
  await database.close();
});

test('a connection to a server that has become a standby is not used again after a write that the server refused: the next one may lead to the new primary', async () => {
  const database = await openTestDatabase({ poolSize: 2 });
  const pool = new pg.Pool({ connectionString: database.directUrl, Client: PreparingClient, max: 1 });
  const client = await pool.connect();
  const backend = 'SELECT pg_backend_pid() AS pid';
  const { rows: before } = await client.query(backend);
  // As on a standby, every transaction is read-only.
  await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
  await client.query('BEGIN');
  await expect(client.query('DELETE FROM shared.jobs')).rejects.toMatchObject({ code: '25006' });
  await client.query('ROLLBACK').catch(() => undefined);
  client.release();
  const { rows: after } = await pool.query(backend);
  expect(after).not.toEqual(before);
  await pool.end();
  await database.close();
});
