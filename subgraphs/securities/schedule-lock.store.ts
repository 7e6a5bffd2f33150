import type { Context } from '../../shared/kernel/context.js';

/**
 * Locks the schedules of the credits of a credit batch until the transaction ends: payments are decided beside each other, and a schedule changes alone. So
 * each side sees what the other has announced, and waits until it is consumed.
 */
export async function lockSchedules({ manager }: Context, batchId: string, isAlone: boolean): Promise<void> {
  const lock = isAlone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await manager.execute(`SELECT ${lock}(hashtextextended('securities.schedules ' || $1, 0))`, [batchId]);
}
