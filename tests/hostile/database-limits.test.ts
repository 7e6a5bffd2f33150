import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { until } from '../kit/until.js';
import { each, openAwayTarget, unavailable, type AwayTarget, type Got } from './away-kit.js';

/** A file system of its own, so that it can be filled; undefined where none can be mounted. */
const folder = join(tmpdir(), `lastro-small-disk-${String(process.pid)}`);
let target: AwayTarget;
let mounted = false;

beforeAll(async () => {
  mkdirSync(folder, { mode: 0o711 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=0711', 'tmpfs', folder], { stdio: 'pipe' });
    mounted = true;
  } catch (error) {
    process.stdout.write(`The full disk is not tried: mounting a file system failed (${String(error)})\n`);
  }
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  // One batch is not to be told apart from another by the pool: it has four connections.
  target = await openAwayTarget({ DATABASE_POOL: '4' }, data);
});
afterAll(async () => {
  await target.close();
  if (mounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const badOf = (got: Record<string, Got>) =>
  Object.entries(got).filter(([, { status }]) => status < 200 || status > 299);

async function expectHealed(): Promise<void> {
  await until('the instance to be ready again', async () => (await target.ready()).status === 200);
  expect(badOf({ ...(await each(target.reads)), ...(await each(target.writes)) })).toEqual([]);
}

async function onServer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(target.postgres.directUrl());
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

test('a server that only reads: who reads is served, who writes gets 503, and the instance is not ready', async () => {
  const set = (value: string) =>
    onServer(async (client) => {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await client.query('SELECT pg_reload_conf()');
    });
  await set('on');
  await until('the instance to be not ready', async () => (await target.ready()).status === 503);
  expect(await target.ready()).toMatchObject({ body: { details: [{ path: 'database', message: 'is read-only' }] } });
  expect(await (await fetch(`${target.url}/metrics`)).text()).toContain('\ndatabase_writable 0\n');
  expect(badOf(await each(target.reads))).toEqual([]);
  for (const got of Object.values(await each(target.writes))) expect(got).toEqual(unavailable);
  await set('off');
  await expectHealed();
});

test('a disk without space: who writes gets 503, who reads is served, and all is well when there is some', async () => {
  if (!mounted) return;
  const filling = join(folder, 'filling');
  // A new segment of the write-ahead log: where PostgreSQL finds no space for one it ends itself, which is not what is tried here.
  await onServer(async (client) => {
    await client.query('SELECT pg_switch_wal()');
  });
  expect(await target.createBatch()).toMatchObject({ status: 201 });
  const { bavail, bsize } = statfsSync(folder);
  const piece = Buffer.alloc(1_048_576);
  try {
    for (let left = bavail * bsize; left > 0; left -= piece.length) writeFileSync(filling, piece, { flag: 'a' });
  } catch {
    // Full.
  }
  await until('the instance to be not ready', async () => (await target.ready()).status === 503);
  expect(await target.ready()).toMatchObject({
    body: { details: [{ path: 'database', message: 'has no space left' }] },
  });
  expect(badOf(await each(target.reads))).toEqual([]);
  const large = { key: 'FULL', externalId: 'FULL', contracts: 5_000 };
  expect(await target.createBatch(large)).toEqual(unavailable);
  rmSync(filling);
  await expectHealed();
  expect(await target.createBatch(large)).toMatchObject({ status: 201, replayed: false });
});

test('every connection taken: what waits too long gets 503, nothing is lost or doubled, and all is well after it', async () => {
  const ids = Array.from({ length: 24 }, (_, index) => `TAKEN-${String(process.pid)}-${String(index)}`);
  let release: () => void = () => undefined;
  let held: Promise<void> = Promise.resolve();
  await new Promise<void>((locked, failed) => {
    held = onServer(async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE credit_assignment.credit_batches');
      const released = new Promise<void>((resolve) => (release = resolve));
      locked();
      await released;
      await client.query('ROLLBACK');
    });
    held.catch(failed);
  });
  const got = await Promise.all(ids.map((externalId) => target.createBatch({ key: externalId, externalId })));
  expect(await target.ready()).toEqual(expect.objectContaining({ status: expect.any(Number) as unknown }));
  for (const one of got) expect(one).toEqual(unavailable);
  release();
  await held;
  await until('the instance to be ready again', async () => (await target.ready()).status === 200);
  const again = await Promise.all(ids.map((externalId) => target.createBatch({ key: externalId, externalId })));
  expect(again.filter(({ status }) => status !== 201)).toEqual([]);
  await onServer(async (client) => {
    const { rows } = await client.query<{ external_id: string }>(
      `SELECT external_id FROM credit_assignment.receivables WHERE external_id LIKE 'TAKEN-%'`,
    );
    expect(rows.map(({ external_id }) => external_id).toSorted()).toEqual(ids.toSorted());
  });
});
