import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrations } from '../../bootstrap/migrations.js';
import { openDatabase } from '../../shared/database/database.js';
import { prepareDatabase } from '../../shared/database/store.js';
import { fillDemo } from '../kit/demo.js';
import { until } from '../kit/until.js';
import { archived, folderFor, serverTools, type Server } from './postgres.js';
import { findPostgres, full, pathOf, root, skipped } from './tools.js';

const postgres = findPostgres();
const rehearsed = skipped('a backup is restored', postgres) ? describe.skip : describe;

/** Rows that only make the database larger, so that the time of a restore says something: four to a page, too short to be compressed. */
const fillerMiB = full ? 1024 : 0;

rehearsed('a backup of the database', () => {
  let folder: string;
  let archive: string;
  let tools: ReturnType<typeof serverTools>;
  let server: Server;
  let client: Client;
  /** Moments after the backup, and the content of the tables at the second of them. */
  let [early, moment] = ['', ''];
  let before: Map<string, string>;
  const script = (name: string) => join(folder, 'backup', name);
  const archiving = () => ['archive_mode=on', `archive_command=${script('archive-wal.sh')} %p %f`, 'fsync=off'];

  const connect = async () => {
    client = new Client({ connectionString: tools.urlOf('postgres', 'lastro') });
    client.on('error', () => undefined);
    await client.connect();
  };

  beforeAll(async () => {
    folder = folderFor(mkdtempSync(join(tmpdir(), 'lastro-backup-')));
    archive = folderFor(join(folder, 'archive'));
    cpSync(join(root, 'deploy/backup'), join(folder, 'backup'), { recursive: true });
    cpSync(join(root, 'deploy/postgres/roles.sql'), join(folder, 'roles.sql'));
    const env = {
      ARCHIVE: archive,
      METRICS: join(archive, 'lastro.prom'),
      KEEP: '1',
      LASTRO_OWNER_PASSWORD: `o'1`,
      LASTRO_APP_PASSWORD: 'a2',
    };
    tools = serverTools({ bin: pathOf(postgres), folder, env });
    tools.initialise(join(folder, 'data'));
    // The archive begins with the backup: what is written before it would only cost time.
    server = await tools.start(join(folder, 'data'), ['fsync=off', 'max_wal_size=1GB']);
    tools.run('psql', '-d', 'postgres', '-f', join(folder, 'roles.sql'));
    const program = await openDatabase({
      url: tools.urlOf('lastro_app', 'lastro'),
      poolSize: 2,
      applicationName: 'rehearsal',
    });
    await prepareDatabase(program, tools.urlOf('lastro_owner', 'lastro'), migrations);
    await program.destroy();
    await fillDemo(tools.urlOf('lastro_app', 'lastro'));
    await connect();
    await client.query(
      'CREATE TABLE filler AS SELECT n, repeat(md5(n::text), 60) AS text FROM generate_series(1, $1::int) AS n',
      [fillerMiB * 512],
    );
    await client.end();
    await server.stop();
    server = await tools.start(join(folder, 'data'), archiving());
    await connect();
  });
  afterAll(async () => {
    await client.end().catch(() => undefined);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('and its log bring everything back as it was at a moment, row for row, after the server and its data are lost', async () => {
    tools.run(script('backup.sh'));
    // The name of a backup is the second in which it ended.
    await sleep(1_100);
    early = await now(client);
    // After the backup: this comes back only from the log.
    await client.query(`UPDATE issuances.communications SET title = title || ' (corrected)'`);
    await client.query('CREATE TABLE after_the_backup AS SELECT n FROM generate_series(1, 1000) AS n');
    before = await digests(client);
    moment = await now(client);
    await client.query('DROP TABLE after_the_backup; DELETE FROM issuances.communications; CREATE TABLE mistake ()');
    await archived(client);
    await client.end();
    await server.kill();
    rmSync(join(folder, 'data'), { recursive: true });

    const begun = performance.now();
    tools.run(script('restore.sh'), join(folder, 'restored'), moment);
    server = await tools.start(join(folder, 'restored'), ['archive_mode=off', 'fsync=off']);
    const seconds = (performance.now() - begun) / 1000;
    await connect();

    expect(await digests(client)).toEqual(before);
    expect(before.size).toBeGreaterThan(100);
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT sum(pg_database_size(oid)) AS bytes FROM pg_database',
    );
    const gigabytes = Number(rows[0]?.bytes) / 1e9;
    console.info(
      `Restored ${gigabytes.toFixed(3)} GB in ${seconds.toFixed(1)} s: ${(seconds / gigabytes).toFixed(0)} s per GB`,
    );
  });

  test('is restored again to a later moment, on the timeline before, after a restore to too early a one', async () => {
    await client.end();
    await server.stop();
    tools.run(script('restore.sh'), join(folder, 'early'), early);
    server = await tools.start(join(folder, 'early'), archiving());
    await until('the history of the timeline in the archive', () =>
      existsSync(join(archive, 'wal', '00000002.history')),
    );
    await server.stop();

    const wrong = tools.fails(script('restore.sh'), join(folder, 'later'), moment, "1'");
    expect(wrong).toEqual({ status: 1, stderr: expect.stringContaining(`1' is not a timeline. Usage: ARCHIVE=`) });
    tools.run(script('restore.sh'), join(folder, 'later'), moment, '1');
    server = await tools.start(join(folder, 'later'), ['archive_mode=off', 'fsync=off']);
    await connect();
    expect(await digests(client)).toEqual(before);
  });

  test('leaves the last ones that KEEP names, the log from the oldest of them on, and a metric', async () => {
    const [first] = readdirSync(join(archive, 'base'));
    // Names are times in seconds.
    await sleep(1_100);
    tools.run(script('backup.sh'));
    const kept = readdirSync(join(archive, 'base'));
    expect(kept).toHaveLength(1);
    expect(kept).not.toContain(first);
    const metrics = readFileSync(join(archive, 'lastro.prom'), 'utf8');
    expect(Number(/^lastro_backup_end_time_seconds (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(1.7e9);
    expect(Number(/^lastro_backup_bytes (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(1e6);
  });

  test('is refused where it would overwrite: a folder with something in it, or a moment before the first one', () => {
    const filled = tools.fails(script('restore.sh'), join(folder, 'restored'));
    expect(filled).toEqual({ status: 1, stderr: expect.stringContaining('is not empty') });
    const early = tools.fails(script('restore.sh'), join(folder, 'nothing'), '2020-01-01 00:00:00+00');
    expect(early).toEqual({ status: 1, stderr: expect.stringContaining('ended before 2020') });
  });

  test('stores a segment of the log once, and never another one in its place', () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    writeFileSync(one, 'one');
    writeFileSync(other, 'other');
    const name = '0000000100000000000000FE';
    tools.run(script('archive-wal.sh'), one, name);
    tools.run(script('archive-wal.sh'), one, name);
    expect(tools.fails(script('archive-wal.sh'), other, name)).toEqual({
      status: 1,
      stderr: expect.stringContaining('another server'),
    });
    expect(readFileSync(join(archive, 'wal', name), 'utf8')).toBe('one');
    expect(readdirSync(join(archive, 'wal')).filter((file) => file.endsWith('.part'))).toEqual([]);
  });
});

/** The number of rows and a checksum of the content of every table. */
async function digests(client: Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)' ORDER BY 1`,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS digest FROM ${name} AS t`,
    );
    found.set(name, rows[0]?.digest ?? '');
  }
  return found;
}

async function now(client: Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  return rows[0]?.now ?? '';
}
