import type { Context } from '../../../shared/context.js';

/**
 * Says that what is published has changed. Its row is locked until the transaction ends, and every import raises it before it commits:
 * what is read after this is whole, and stays so until then.
 */
export async function raiseRevision({ manager }: Context): Promise<void> {
  await manager.query('UPDATE issuances.revision SET value = value + 1');
}
