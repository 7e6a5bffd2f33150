import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { archived, folderFor, serverTools, type Server } from './postgres.js';
import { findPostgres, pathOf, root, skipped } from './tools.js';

const postgres = findPostgres();
const rehearsed = skipped('a backup of a standby is restored', postgres) ? describe.skip : describe;

rehearsed('a backup that a standby took', () => {
  let folder: string;
  const running: Server[] = [];
  const script = (name: string) => join(folder, 'backup', name);

  /** A machine: what runs its programs, and where its data is. */
  const machine = (name: string) => {
    const own = folderFor(join(folder, name));
    const tools = serverTools({ bin: pathOf(postgres), folder: own, env: { ARCHIVE: join(folder, 'archive') } });
    const data = join(own, 'data');
    const start = async (...settings: readonly string[]) => {
      running.push(await tools.start(data, ['fsync=off', ...settings]));
    };
    return { ...tools, data, start };
  };

  beforeAll(() => {
    folder = folderFor(mkdtempSync(join(tmpdir(), 'lastro-standby-backup-')));
    folderFor(join(folder, 'archive'));
    cpSync(join(root, 'deploy/backup'), join(folder, 'backup'), { recursive: true });
  });
  afterAll(async () => {
    for (const server of running.toReversed()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is restored to the end of the archive, to a server of its own that does not follow the primary', async () => {
    const [primary, standby, restored] = [machine('primary'), machine('standby'), machine('restored')];
    primary.initialise(primary.data);
    await primary.start('archive_mode=on', `archive_command=${script('archive-wal.sh')} %p %f`);
    primary.run('psql', '-qc', 'CREATE TABLE notes AS SELECT generate_series(1, 100) AS n');
    primary.run('pg_basebackup', '-D', standby.data, '-R', '-C', '-S', 'standby', '--checkpoint=fast');
    await standby.start();
    standby.run(script('backup.sh'));
    primary.run('psql', '-qc', 'INSERT INTO notes SELECT generate_series(101, 1100)');
    const client = new Client({ connectionString: primary.urlOf('postgres', 'postgres') });
    await client.connect();
    await archived(client);
    await client.end();
    // Not in the archive yet: only the primary has it.
    primary.run('psql', '-qc', 'INSERT INTO notes VALUES (1101)');

    restored.run(script('restore.sh'), restored.data);
    await restored.start('archive_mode=off');
    const said = restored.run('psql', '-Atc', 'SELECT pg_is_in_recovery(), count(*) FROM notes');
    expect(said.trim()).toBe('f|1100');
  });
});
