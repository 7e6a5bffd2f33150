import type { Context } from '../../../shared/context.js';

/**
 * Records that published data has changed. Locks the row of the revision until the transaction ends. Every import raises the revision
 * before it commits, so data read after this call is consistent and stays so until then.
 */
export async function raiseRevision({ manager }: Context): Promise<void> {
  await manager.execute('UPDATE issuances.revision SET value = value + 1');
}
