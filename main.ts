import { existsSync, statfsSync } from 'node:fs';
import { whenParentIsGone } from './bootstrap/welcome.js';
import type { Platform } from './bootstrap/platform.js';
import { ConfigError, loadConfig, useProductionLibraries, type Config } from './shared/kernel/config.js';
import { createLog } from './shared/kernel/log.js';

/** Time that a stop may take before it is forced, after DRAIN_SECONDS; the program promises to stop within ten seconds. */
const stopDeadlineMs = 9_500;

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

// A failed write to standard error (full disk, closed reader) must not end the process.
process.stderr.on('error', () => undefined);
const config = readConfig();
useProductionLibraries();
const log = createLog(config.logLevel);
let platform: Platform | undefined;
let stopping = false;

/** Drains the program and ends the process. npm delivers Ctrl-C twice, so only the first call counts. */
function stop(reason: string, code: 0 | 1): void {
  if (stopping) return;
  stopping = true;
  if (code === 0) log.info({ reason }, 'Stopping');
  else log.fatal({ reason }, 'Stopping');
  setTimeout(() => {
    log.error('The stop took too long and is forced');
    process.exit(1);
  }, stopDeadlineMs + config.drainMs).unref();
  // Before the platform is open there is nothing to drain; the embedded database ends with the process.
  (platform?.close() ?? Promise.resolve()).then(
    () => process.exit(code),
    (error: unknown) => {
      log.error({ err: error }, 'The stop failed');
      process.exit(1);
    },
  );
}

// A library can leave a rejected promise unhandled: graphql-js does when two fields of one list fail at once.
// The request already has its response, so the process continues. An exception thrown outside a promise still ends it.
process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'A rejection that nobody handled'));

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => stop(signal, 0));
}
if (process.argv.includes('--with-parent')) {
  whenParentIsGone(() => stop('the process that started this one is gone', 0));
}

/** Whether the disk is too full for PostgreSQL to add a WAL segment; PostgreSQL then exits, and we only see a lost connection. */
function hasNoRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 16 * 1024 * 1024;
}

try {
  if (config.role === 'migrate') {
    const { applyMigrations } = await import('./bootstrap/migrate.js');
    const taken = await applyMigrations(config, log);
    log.info({ migrations: taken }, 'All migrations are applied');
    process.exit(0);
  }
  // PostgreSQL starts while the program's modules are read.
  const { openStore } = await import('./shared/database/store.js');
  const store = openStore(config, log);
  const [{ openPlatform }] = await Promise.all([import('./bootstrap/platform.js'), store]);
  platform = await openPlatform(config, log, { store });
  void platform.failed.then((reason) => {
    stop(reason, 1);
  });
  const { welcome } = await import('./bootstrap/welcome.js');
  process.stdout.write(welcome(config, platform));
} catch (error) {
  log.fatal({ err: error }, 'The program could not start');
  const message = error instanceof Error ? error.message : String(error);
  const isFull = /ENOSPC|No space left on device/.test(message) || hasNoRoom(config.dataDir);
  process.stderr.write(
    isFull
      ? `A disk is full: free space for DATA_DIR (${config.dataDir}) and start again. ${message}\n`
      : `${message}\n`,
  );
  process.exit(1);
}
