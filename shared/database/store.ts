import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../kernel/config.js';
import type { Logger } from '../kernel/log.js';
import { openDatabase, type Database } from './database.js';
import { separateRoles, type DatabaseUrls } from './embedded-roles.js';
import { findEmbedded, startEmbedded } from './embedded.js';
import { excessOfRole } from './grants.js';
import { isRefused, lackingMigrations, migrate, type SchemaMigrations } from './migrate.js';
import { DatabaseNotOpen } from './unavailable.js';

export interface Store extends DatabaseUrls {
  /** Resolves with the reason when an embedded server exits. */
  readonly failed: Promise<string>;
  /** Stops the server if it was started here. */
  stop(): Promise<void>;
}

/** Refuses to work without a database, which a wrong DATA_DIR would make. @throws {DatabaseNotOpen} if there is neither `DATABASE_URL` nor one in `DATA_DIR` */
export function requireDatabase({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): void {
  if (database.url !== undefined || existsSync(join(dataDir, 'postgres'))) return;
  throw new DatabaseNotOpen(
    `There is no database in ${resolve(dataDir)}. Run the command with the DATABASE_URL or DATA_DIR of the program; ` +
      '`npm start` and `npm run lastro -- migrate` make a new database.',
  );
}

/** Refuses to work in a database of `DATABASE_URL` that holds nothing of this program. @throws {DatabaseNotOpen} if no migration was ever applied */
export async function requireMigrated(dataSource: Database, all: readonly SchemaMigrations[]): Promise<void> {
  const lacking = await lackingMigrations(dataSource, all);
  if (lacking.length < all.reduce((count, { migrations }) => count + migrations.length, 0)) return;
  throw new DatabaseNotOpen(
    'The database of DATABASE_URL holds nothing of this program. Check its name; `npm run lastro -- migrate` prepares a new one.',
  );
}

/** Opens the server of `DATABASE_URL`, or the embedded one of `DATA_DIR`. @param beside use the one that a running program keeps, if any */
export async function openStore(
  config: Pick<Config, 'database' | 'dataDir'>,
  log: Logger,
  { beside = false } = {},
): Promise<Store> {
  const elsewhere = { failed: new Promise<string>(() => undefined), stop: () => Promise.resolve() };
  const { url, ownerUrl } = config.database;
  if (url !== undefined) return { url, ownerUrl, ...elsewhere };
  const running = beside ? await findEmbedded(config.dataDir) : undefined;
  if (running !== undefined) return { ...(await separateRoles(running)), ...elsewhere };
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => {
    fail = resolve;
  });
  const server = await startEmbedded({
    dataDir: config.dataDir,
    log: (message) => log.info(message),
    onRestart: (reason) => log.error({ reason }, 'PostgreSQL died and is started again; requests get 503 meanwhile'),
    onExit: fail,
  });
  try {
    return { ...(await separateRoles(server.url)), failed, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Migrates as the owner, if there is one besides the program's role, which is then granted its privileges. @returns how many were applied */
export async function prepareDatabase(
  dataSource: Database,
  ownerUrl: string | undefined,
  all: readonly SchemaMigrations[],
  onWait?: (message: string) => void,
): Promise<number> {
  const waiting = onWait === undefined ? {} : { onWait };
  if (ownerUrl === undefined) return migrate(dataSource, all, waiting);
  const [{ role } = { role: '' }] = await dataSource.query<{ role: string }[]>('SELECT current_user AS role');
  const owner = await openDatabase({ url: ownerUrl, poolSize: 2, applicationName: 'lastro migrations' });
  let taken;
  try {
    taken = await migrate(owner, all, { applicationRole: role, ...waiting });
  } finally {
    await owner.destroy();
  }
  // Checked with the program's role: this also detects two URLs that belong to different databases.
  await migrate(dataSource, all);
  return taken;
}

const lookMs = 1_000;

/** Waits until another process has migrated, for parts that run beside others. A stop of the process ends the wait. */
export async function untilMigrated(
  dataSource: Database,
  all: readonly SchemaMigrations[],
  onWait: (message: string) => void,
): Promise<void> {
  let reported: string | undefined;
  for (;;) {
    const reason = await waitingFor(dataSource, all);
    if (reason === undefined) return;
    if (reason !== reported) onWait(reason);
    reported = reason;
    await sleep(lookMs);
  }
}

/** Returns the reason for which a part has to wait, and how to end it; undefined once nothing is missing. */
async function waitingFor(dataSource: Database, all: readonly SchemaMigrations[]): Promise<string | undefined> {
  const run = 'run the program once with ROLE=migrate, or `npm run lastro -- migrate`';
  try {
    const lacking = await lackingMigrations(dataSource, all);
    if (lacking.length === 0) return undefined;
    return `The database lacks the migrations ${lacking.join(', ')}. Waiting for them: ${run}`;
  } catch (error) {
    if (!isRefused(error)) throw error;
    // A migration grants the program's role its rights at the end.
    return `The role of DATABASE_URL may not read the database yet. Waiting for the end of the migrations: if none is running, ${run}`;
  }
}

/** Logs what the program's role can do but does not need. */
export async function warnOfExcess(dataSource: Database, all: readonly SchemaMigrations[], log: Logger): Promise<void> {
  const schemas = all.map(({ schema }) => schema);
  const excess = await excessOfRole(dataSource.manager, schemas);
  if (excess.length === 0) return;
  log.warn(
    { excess },
    'The role of DATABASE_URL has more privileges than reading and writing rows. Use a separate role for the program, and DATABASE_ADMIN_URL for its migrations (docs/operations/configuration.md, Database roles)',
  );
}
