// One PostgreSQL for the whole test run, in a temporary folder; the tests find it in TEST_DATABASE_URL (superuser),
// TEST_DATABASE_OWNER_URL and TEST_DATABASE_APP_URL (the program). With TEST_POOLER=1 the program reaches it through PgBouncer,
// which is in TEST_DATABASE_POOLER_URL.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import './typescript.mjs';

const { startEmbedded } = await import('../../shared/database/embedded.js');
const { separateRoles } = await import('../../shared/database/embedded-roles.js');
const { openPooler, poolerMissing } = await import('./pooler.ts');
const { stopOrphans } = await import('../../shared/database/embedded-takeover.js');

const prefix = 'lastro-tests-';

/** What the teardown stops. Both run in Jest's own process, so a variable is enough. */
export const running = { database: undefined, folder: undefined, pooler: undefined };

export default async function setup() {
  await sweep();
  running.folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  running.database = await startEmbedded({ dataDir: running.folder, durable: false });
  const { url, ownerUrl } = await separateRoles(running.database.url);
  await endLongStatements(running.database.url);
  process.env.TEST_DATABASE_URL = running.database.url;
  process.env.TEST_DATABASE_OWNER_URL = ownerUrl;
  process.env.TEST_DATABASE_APP_URL = url;
  if (process.env.TEST_POOLER === '1') {
    if (poolerMissing !== undefined) throw new Error(`TEST_POOLER: ${poolerMissing}`);
    running.pooler = await openPooler({ server: url, users: [url] });
    process.env.TEST_DATABASE_POOLER_URL = running.pooler.through(url);
  }
}

/** A statement of a test that waits for a lock fails, and says so, before the test does; the program's have a limit of their own. */
async function endLongStatements(url) {
  const client = new pg.Client(url);
  await client.connect();
  for (const role of ['CURRENT_USER', 'lastro_owner'])
    await client.query(`ALTER ROLE ${role} SET statement_timeout = '60s'`);
  await client.end();
}

/** Removes what test runs that were killed have left behind. */
async function sweep() {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await stopOrphans(join(tmpdir(), name, 'postgres'), () => undefined);
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
