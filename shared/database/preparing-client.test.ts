import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { promisify } from 'node:util';
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
  // What every transaction of a standby is.
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

/** Prepares a statement in a process of its own, and prints the names that its connection has. */
const namesOfStatements = `
  const { PreparingClient } = await import(${JSON.stringify(new URL('preparing-client.ts', import.meta.url).href)});
  const client = new PreparingClient({ connectionString: process.argv[1] });
  await client.connect();
  await client.query('SELECT $1::int AS one', [1]);
  const { rows } = await client.query('SELECT name FROM pg_prepared_statements');
  console.log(rows.map(({ name }) => name).join());
  await client.end();`;

test('a statement has the same name in every process, and none at an address that asks for none', async () => {
  const database = await openTestDatabase({ poolSize: 2 });
  const loader = new URL('../../tests/kit/typescript.mjs', import.meta.url).href;
  const named = async (url: string) => {
    const flags = ['--import', loader, '--input-type=module', '-e', namesOfStatements, '--', url];
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return stdout.trim();
  };
  const name = await named(database.directUrl);
  expect(name).toMatch(/^lastro_[\w-]{22}$/);
  expect(await named(database.directUrl)).toBe(name);
  const bare = new URL(database.directUrl);
  bare.searchParams.set('prepared_statements', 'false');
  expect(await named(bare.href)).toBe('');
  await database.close();
});
