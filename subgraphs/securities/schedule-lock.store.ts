import type { Context } from '../../shared/kernel/context.js';

/**
 * Locks the schedules of the credits of a credit batch until the transaction ends: shared to decide payments, exclusive to change a schedule. So each side
 * sees what the other has announced, and waits until it is consumed.
 */
export async function lockSchedules(
  { manager }: Context,
  batchId: string,
  mode: 'SHARED' | 'EXCLUSIVE',
): Promise<void> {
  const lock = mode === 'SHARED' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await manager.execute(`SELECT ${lock}(hashtextextended('securities.schedules ' || $1, 0))`, [batchId]);
}
