import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openNetwork } from '../kit/network.js';
import {
  archiveOf,
  asNobody,
  nodes,
  prepare,
  prepareArchive,
  secret,
  variablesOf,
  type Ground,
} from '../kit/patroni-files.js';
import { findPatroniTools } from '../kit/patroni-tools.js';
import { startEtcd, startPatroni } from '../kit/patroni.js';
import { until } from '../kit/until.js';

const asked = process.env['FAILOVER'] === '1' || process.env['FAILOVER_FULL'] === '1';
if (!asked) process.stderr.write('Skipped: restore of a cluster of Patroni (run it with FAILOVER=1; it needs root)\n');
const describeRestore = asked ? describe : describe.skip;
const [node] = nodes;

describeRestore('A backup of a cluster of Patroni', () => {
  let ground: Ground;
  let data: string;
  /** Runs lines of the shell on the machine, as the account of PostgreSQL there. @returns their output */
  const shell = (script: string) => {
    const [program = '', ...args] = asNobody(ground, node, ['sh', '-euc', script]);
    const { PATH = '' } = ground.tools.env;
    const backup = { ARCHIVE: archiveOf(ground), PGHOST: '127.0.0.1', PGUSER: 'replicator', PGPASSWORD: secret };
    const env = {
      ...ground.tools.env,
      ...variablesOf(ground, 'patroni.env.example', node),
      ...backup,
      PATH: `${ground.tools.postgres}:${join(ground.tools.patroni, '..')}:${PATH}`,
    };
    return execFileSync(program, args, { env, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const query = async <Row extends object>(sql: string) => {
    const client = new Client(`postgresql://postgres:${secret}@${ground.network.addressOf(node)}:5432/postgres`);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const whenPrimary = () =>
    until(
      'the primary of Patroni',
      async () => {
        // It makes the role for backups after it has opened the database.
        const sql = `SELECT pg_is_in_recovery() AS recovers FROM pg_roles WHERE rolname = 'replicator'`;
        const said = await query<{ recovers: boolean }>(sql).catch(() => []);
        return said[0]?.recovers === false;
      },
      { within: 120_000 },
    );

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lastro-patroni-restore-'));
    chmodSync(folder, 0o755);
    ground = { tools: findPatroniTools(), folder, network: openNetwork(nodes), port: 0 };
    data = join(folder, node, 'lastro');
    prepareArchive(ground);
    for (const one of nodes) prepare(ground, one);
    // One machine has PostgreSQL: the others are empty after a restore, and follow it.
    for (const one of nodes) startEtcd(ground, one);
    startPatroni(ground, node);
    await whenPrimary();
  }, 240_000);
  afterAll(() => {
    ground.network.close();
    rmSync(ground.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });

  test('and its log bring everything back by the commands of docs/operations/backup.md', async () => {
    const script = (name: string) => fileURLToPath(new URL(`../../deploy/backup/${name}`, import.meta.url));
    await query('CREATE TABLE notes AS SELECT generate_series(1, 100) AS n');
    shell(readFileSync(script('backup.sh'), 'utf8'));
    await query('INSERT INTO notes SELECT generate_series(101, 1100)');
    const [last] = await query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await until('the log in the archive', async () => {
      const [is] = await query<{ file: string | null }>('SELECT last_archived_wal AS file FROM pg_stat_archiver');
      return (is?.file ?? '') >= (last?.file ?? '');
    });
    await ground.network.kill(node);
    rmSync(data, { recursive: true });
    startEtcd(ground, node);
    const config = join(ground.folder, node, 'patroni.yml');
    shell(`printf 'lastro\\nYes I am aware\\n${node}\\n' | patronictl -c ${config} remove lastro`);
    shell(`set -- ${data}; ${readFileSync(script('restore.sh'), 'utf8')}`);
    shell(documented(data, join(ground.folder, node, 'restore.log')));
    startPatroni(ground, node);
    await whenPrimary();

    expect(await query('SELECT count(*)::int AS notes FROM notes')).toEqual([{ notes: 1100 }]);
  }, 240_000);
});

/** The commands of docs/operations/backup.md by which PostgreSQL applies the log by itself. */
function documented(data: string, log: string): string {
  const text = readFileSync(fileURLToPath(new URL('../../docs/operations/backup.md', import.meta.url)), 'utf8');
  const [, commands = ''] = /^```sh\n(pg_ctl [^`]*)```$/m.exec(text) ?? [];
  expect(commands).toContain('pg_isready');
  return commands.replaceAll('/var/lib/postgresql/lastro', data).replaceAll('/tmp/restore.log', log);
}
