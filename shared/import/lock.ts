import { isLockTimeout } from '../database/migrate.js';
import type { Context } from '../kernel/context.js';
import { ApiError, byRule } from '../kernel/errors.js';

// An arbitrary number that nothing else locks: imports write one after the other.
const importLock = 4_702_231_905;

/** Waits until the current import is written, and blocks others until the transaction ends. */
export async function lockImports({ manager }: Context): Promise<void> {
  await manager.execute('SELECT pg_advisory_xact_lock($1)', [importLock]);
}

// Work that would rather come back than wait for an import waits for other such work.
const shortLock = importLock + 1;

/** Blocks imports until the transaction ends if none is being written. Callers wait for each other, not for an import. @returns whether one is written */
export async function lockedByImport({ manager }: Context): Promise<boolean> {
  await manager.execute('SELECT pg_advisory_xact_lock($1)', [shortLock]);
  return (await manager.value<boolean>('SELECT pg_try_advisory_xact_lock($1)', [importLock])) !== true;
}

/** How long a request waits for imports in progress, most of which are as short as itself. */
const patience = '3s';

/** Blocks imports until the transaction ends; taken before locks on rows. @throws {ApiError} CONFLICT if an import is still written after three seconds */
export async function requireNoImport(context: Context): Promise<void> {
  const { manager } = context;
  const before = await manager.row<{ patience: string }>(
    `SELECT current_setting('lock_timeout') AS patience, set_config('lock_timeout', $1, true)`,
    [patience],
  );
  try {
    await lockImports(context);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new ApiError('CONFLICT', {
      ...byRule('IMPORT_RUNNING'),
      cause: error,
    });
  }
  await manager.execute(`SELECT set_config('lock_timeout', $1, true)`, [before?.patience]);
}
