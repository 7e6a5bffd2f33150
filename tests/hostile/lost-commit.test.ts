import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startProgram } from '../start/program.js';
import { until } from '../kit/until.js';
import { openAwayTarget } from './away-kit.js';
import type { Connection } from './postgres-kit.js';

const target = await openAwayTarget();
afterAll(() => target.close());

async function countOf(externalId: string): Promise<number> {
  const client = new pg.Client(target.postgres.directUrl());
  await client.connect();
  const { rowCount } = await client.query('SELECT 1 FROM credit_assignment.receivables WHERE external_id = $1', [
    externalId,
  ]);
  await client.end();
  return rowCount ?? 0;
}

/**
 * Cuts the connection on which a credit is written at its COMMIT: before the server gets it, or once the server has confirmed it
 * and the program has not heard that yet.
 */
function cutAtCommit(externalId: string, reaches: boolean): void {
  const writing = new Set<Connection>();
  const committing = new Set<Connection>();
  target.postgres.proxy.watch((from, bytes, connection) => {
    const text = bytes.toString('latin1');
    if (from === 'server') {
      if (!committing.has(connection)) return 'pass';
      connection.cut();
      return 'drop';
    }
    if (text.includes(externalId)) writing.add(connection);
    if (!writing.has(connection) || !text.includes('COMMIT')) return 'pass';
    committing.add(connection);
    if (reaches) return 'pass';
    connection.cut();
    return 'drop';
  });
}

for (const reaches of [true, false]) {
  test(`a commit that ${reaches ? 'arrived' : 'never arrived'} and was not confirmed: the response says so, and the key returns the result`, async () => {
    const externalId = `LOST-${randomUUID()}`;
    cutAtCommit(externalId, reaches);
    const lost = await target.createBatch({ key: externalId, externalId });
    target.postgres.proxy.watch(undefined);
    expect(lost).toMatchObject({ status: 503, retryAfter: expect.any(String) });
    expect(lost.message).toMatch(/whether it was made is unknown.*same X-Idempotency-Key/);
    await until('the transaction to be over', async () => (await countOf(externalId)) === (reaches ? 1 : 0));
    const again = await target.createBatch({ key: externalId, externalId });
    expect(again.status).toBe(201);
    expect(again.replayed).toBe(reaches);
    expect(await countOf(externalId)).toBe(1);
  });
}

test('connections that are lost without a word end by their deadline, and new ones serve', async () => {
  target.postgres.proxy.silence();
  const got = await Promise.all(Object.values(target.reads).map((read) => read()));
  for (const { status, retryAfter } of got) expect(status === 503 ? retryAfter !== null : status < 300).toBe(true);
  await until('the instance to be ready again', async () => (await target.ready()).status === 200);
  // A connection that nobody used meanwhile is found out by the first who does, or by TCP.
  await until('everyone to be served', async () => {
    const got = await Promise.all(Object.values({ ...target.reads, ...target.writes }).map((send) => send()));
    return got.every(({ status }) => status >= 200 && status < 300);
  });
});

test('a program that starts before its database waits for it', async () => {
  await target.postgres.stop();
  const url = target.postgres.url;
  const early = startProgram({ env: { DATA_DIR: `/tmp/lastro-early-${String(process.pid)}`, DATABASE_URL: url } });
  await until('the word that it waits', () => early.output().includes('waiting for it'));
  await target.postgres.start();
  await early.ready;
  early.child.kill('SIGTERM');
  expect(await early.ended).toEqual({ code: 0, signal: null });
});

test('a program that its database refuses says why, and ends with 1', async () => {
  const url = new URL(target.postgres.url);
  url.password = 'wrong';
  const refused = startProgram({
    env: { DATA_DIR: `/tmp/lastro-refused-${String(process.pid)}`, DATABASE_URL: url.href },
  });
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.output()).toContain('refused the connection: password authentication failed');
  expect(refused.output()).not.toContain('wrong');
});
