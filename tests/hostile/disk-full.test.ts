import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { until } from '../kit/until.js';
import { openAwayTarget, type AwayTarget, type Got } from './away-kit.js';

/** Size of the database's disk: room for the demo, its log and a little more. */
const diskMegabytes = 700;
/** What is left of it when the disk is said to be full. */
const leftMegabytes = 3;

const disk = mkdtempSync(join(tmpdir(), 'lastro-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0755`, 'tmpfs', disk]);
const isMounted = mounted.status === 0;
if (!isMounted)
  process.stderr.write('Skipped: a full disk (a file system of a limited size cannot be mounted here: be root)\n');
const describeFull = isMounted ? describe : describe.skip;

describeFull('A database whose disk is full', () => {
  const filler = join(disk, 'filler');
  let target: AwayTarget;
  beforeAll(async () => {
    chmodSync(disk, 0o755);
    const folder = join(disk, 'data');
    mkdirSync(folder, { mode: 0o755 });
    target = await openAwayTarget({}, folder, { durable: true });
  });
  afterAll(async () => {
    rmSync(filler, { force: true });
    await target.close();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  const freeMegabytes = () => {
    const { bavail, bsize } = statfsSync(disk);
    return (bavail * bsize) / 1_048_576;
  };

  /** Takes all space but a little. */
  function fill(): void {
    writeFileSync(filler, Buffer.alloc(Math.floor(freeMegabytes() - leftMegabytes) * 1_048_576));
  }

  const send = (key: string) => target.createBatch({ key, externalId: key, contracts: 200 });

  async function counted(externalIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const client = new pg.Client(target.postgres.directUrl());
    await client.connect();
    const { rows } = await client.query<{ external_id: string; count: number }>(
      'SELECT external_id, count(*)::int AS count FROM credit_assignment.receivables WHERE external_id = ANY($1) GROUP BY 1',
      [externalIds],
    );
    await client.end();
    return new Map(rows.map(({ external_id: id, count }) => [id, count]));
  }

  test('refuses writes with 503 and not ready, and loses nothing that was acknowledged once there is space again', async () => {
    const keys: string[] = [];
    const got = new Map<string, Got>();
    const write = async () => {
      const key = `DISK-${randomUUID()}`;
      keys.push(key);
      got.set(key, await send(key));
    };
    for (let at = 0; at < 3; at += 1) await write();
    expect([...got.values()].map(({ status }) => status)).toEqual([201, 201, 201]);

    fill();
    // What is left is used up by the writes themselves.
    for (let at = 0; at < 60 && [...got.values()].filter(({ status }) => status === 503).length < 5; at += 1)
      await write();
    const refused = [...got].filter(([, { status }]) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const [, { status, retryAfter }] of refused) expect([status, retryAfter]).toEqual([503, expect.any(String)]);
    await until('the process to be not ready', async () => (await target.ready()).status === 503);

    unlinkSync(filler);
    await target.postgres.start();
    await until('the process to be ready again', async () => (await target.ready()).status === 200);
    const before = await counted(keys);
    for (const [key, { status }] of got) if (status === 201) expect([key, before.get(key)]).toEqual([key, 1]);
    for (const [key] of refused) expect((await send(key)).status).toBe(201);
    const after = await counted(keys);
    expect(keys.map((key) => after.get(key))).toEqual(keys.map(() => 1));
    expect((await target.reads['REST, public']()).status).toBe(200);
  });
});
