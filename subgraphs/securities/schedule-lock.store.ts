import type { Context } from '../../shared/kernel/context.js';

/** Locks shared to decide payments and exclusive to change a schedule, until the transaction ends: each side sees what the other has announced, and waits until it is consumed. */
export async function lockSchedules(
  { manager }: Context,
  batchId: string,
  mode: 'SHARED' | 'EXCLUSIVE',
): Promise<void> {
  const lock = mode === 'SHARED' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await manager.execute(`SELECT ${lock}(hashtextextended('securities.schedules ' || $1, 0))`, [batchId]);
}
