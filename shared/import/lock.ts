import type { Context } from '../context.js';
import { Fault } from '../errors.js';

// Any number that no one else locks: imports write one after the other.
const importLock = 4_702_231_905;

/** Waits for the import that is being written, and keeps others out until the transaction ends. */
export async function lockImports({ manager }: Context): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [importLock]);
}

/**
 * Keeps imports out until the transaction ends. Whoever locks rows as well takes this first.
 * @throws {Fault} CONFLICT while an import is being written: that may take minutes, and a request does not wait for it
 */
export async function requireNoImport({ manager }: Context): Promise<void> {
  const [row] = await manager.query<{ free: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS free', [importLock]);
  if (row?.free !== true)
    throw new Fault('CONFLICT', { message: 'An import is being written: try again when it is done' });
}
