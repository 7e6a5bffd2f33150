// One PostgreSQL for the whole test run; the tests find it in TEST_DATABASE_URL (superuser), TEST_DATABASE_OWNER_URL and
// TEST_DATABASE_APP_URL (the program). With TEST_POOLER=1 the program reaches it through PgBouncer, which is in TEST_DATABASE_POOLER_URL.
// Its folder is kept between runs, with the templates in it: `free` is what the next run takes, the id of its process names it meanwhile.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import './typescript.mjs';

const { startEmbedded } = await import('../../shared/database/embedded.js');
const { separateRoles } = await import('../../shared/database/embedded-roles.js');
const { openPooler, poolerMissing } = await import('./pooler.ts');
const { stopOrphans } = await import('../../shared/database/embedded-takeover.js');

const folders = await foldersOfRuns();
const free = join(folders, 'free');

/** What the teardown stops. Both run in Jest's own process, so a variable is enough. */
const running = { database: undefined, folder: undefined, pooler: undefined };

export default async function setup() {
  await sweep();
  running.folder = join(folders, String(process.pid));
  // Renaming is what makes it only this run's.
  await rename(free, running.folder).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  running.database = await startEmbedded({ dataDir: running.folder, durable: false });
  const { url, ownerUrl } = await separateRoles(running.database.url);
  await endLongStatements(running.database.url);
  // Demo data depend on the time: those of another hour are made anew.
  process.env.TEST_HOUR = new Date().toISOString().slice(0, 13);
  process.env.TEST_DATABASE_URL = running.database.url;
  process.env.TEST_DATABASE_OWNER_URL = ownerUrl;
  process.env.TEST_DATABASE_APP_URL = url;
  if (process.env.TEST_POOLER === '1') {
    if (poolerMissing !== undefined) throw new Error(`TEST_POOLER: ${poolerMissing}`);
    running.pooler = await openPooler({ server: url, users: [url] });
    process.env.TEST_DATABASE_POOLER_URL = running.pooler.through(url);
  }
}

/**
 * In memory where there is room: a database is 1,600 files, and to make and drop 400 of them costs an ext4 more processor time than the
 * statements of all tests.
 */
async function foldersOfRuns() {
  const onDisk = fileURLToPath(new URL('../../node_modules/.cache/tests/', import.meta.url));
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < 4 * 2 ** 30) return onDisk;
  const ofThisTree = createHash('sha256').update(onDisk).digest('hex').slice(0, 12);
  return `/dev/shm/lastro-tests-${ofThisTree}`;
}

/** Runs when tests have failed, too. */
export async function stop() {
  const { pooler, database, folder } = running;
  await pooler?.close();
  if (database === undefined) return;
  await tidy(database.url);
  await database.stop();
  await rename(folder, free).catch(async (error) => {
    if (error.code !== 'ENOTEMPTY') throw error;
    // Another run beside this one was sooner.
    await rm(folder, { recursive: true });
  });
}

/** Drops what tests have left, and the templates of other days. */
async function tidy(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT datname AS name FROM pg_database
     WHERE datname LIKE 'lastro\\_test\\_%' OR datname LIKE 'lastro\\_%' AND datistemplate
       AND (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 day'`,
  );
  for (const { name } of rows) {
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
  await client.end();
}

/** A statement of a test that waits for a lock fails, and says so, before the test does; the program's have a limit of their own. */
async function endLongStatements(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const role of ['CURRENT_USER', 'lastro_owner'])
    await client.query(`ALTER ROLE ${role} SET statement_timeout = '60s'`);
  await client.end();
}

/** Removes the folders of test runs that were killed. */
async function sweep() {
  await mkdir(folders, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folders)) {
    if (!/^\d+$/.test(name) || isAlive(Number(name))) continue;
    await stopOrphans(join(folders, name, 'postgres'), () => undefined);
    await rm(join(folders, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
