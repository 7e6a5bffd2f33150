import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openTarget } from './kit.js';

const target = await openTarget({
  env: { RATE_LIMIT_GRAPHQL: '10000000', CONNECTIONS_MAX_PER_NETWORK: '1000', TRUST_PROXY: '127.0.0.1' },
});
const client = new Client({ connectionString: target.database.superuserUrl });
await client.connect();
// As many assets as one query can ask for, with long names, so that a response does not fit into the buffers of a connection.
await client.query(`SET session_replication_role = replica;
  UPDATE tokenization.assets SET debtor_name = repeat('Companhia ', 20), debtor_document = '11222333000181';
  INSERT INTO tokenization.assets
  SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'external_id', a.external_id || '-' || n,
    'registration', 1000000 + row_number() OVER ()))).* FROM tokenization.assets a, generate_series(1, 10) n`);
await client.end();
afterAll(() => target.close());

/** A text of each asset under thirty long names: it costs no more points than the asset, and makes most of the response. */
const aliases = Array.from({ length: 30 }, (_, index) => `${'n'.repeat(97)}${String(100 + index)}: debtorName`).join(
  ' ',
);
const query = `{ patrimonies(first: 20) { nodes { assets(first: 100) { nodes { ${aliases} } } } } }`;
const body = JSON.stringify({ query });

async function ask(to = target) {
  const response = await fetch(`${to.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return {
    status: response.status,
    length: text.length,
    remaining: Number(response.headers.get('x-ratelimit-remaining')),
  };
}

/** Asks and reads nothing. @param from the address of the client, as a proxy tells it */
function askAndWait(from = '203.0.113.7'): Socket {
  const socket = connect(target.port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  const head = [
    'POST /graphql HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `x-forwarded-for: ${from}`,
    'x-forwarded-proto: https',
    `content-length: ${String(body.length)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

test('a response costs a point for each KiB of its length where that is more than its items cost', async () => {
  const before = (await ask()).remaining;
  const { status, length, remaining } = await ask();
  expect(status).toBe(200);
  expect(length).toBeGreaterThan(6_000_000);
  expect(before - remaining).toBe(Math.floor(length / 1024));
});

/** Reads what comes for three seconds, and returns how many bytes came. */
async function receivedBy(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.resume();
  await sleep(3000);
  socket.destroy();
  return bytes;
}

test('clients who read nothing cost bounded memory and end their own connections alone, and those who read are answered whole', async () => {
  const { length } = await ask();
  const slow = askAndWait('198.51.100.9');
  const silent: Socket[] = [];
  for (let round = 0; round < 12; round++) {
    for (let opened = 0; opened < 3; opened++) silent.push(askAndWait());
    await sleep(2500);
    expect(await ask()).toMatchObject({ status: 200, length });
    // 60 MB of the program, the budget, and what the collector has not freed yet.
    expect(await target.metric('nodejs_external_memory_bytes')).toBeLessThan(250_000_000);
  }
  expect(await receivedBy(slow)).toBeGreaterThan(length);
  const received = await Promise.all(silent.map(receivedBy));
  // What the budget holds, and what the system took of each connection, waits for its reader.
  expect(received.filter((bytes) => bytes < length).length).toBeGreaterThan(15);
  expect(received.at(-1)).toBeGreaterThan(length);
  expect(await target.lives()).toBe(true);
});
