import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { untilFew } from '../../../shared/kernel/until-few.js';
import { lastEvents, markAnnounced, takeUnannounced } from './collection.store.js';

const perTransaction = 50;
/** Announcements are repeated after this time, for a consumer that did not know the series the first time. */
const againMs = 24 * 3_600_000;

/**
 * Announces each collection that has changed and is read up to a block, with its last events. A consumer that misses an
 * announcement or receives two in the wrong order is correct again with the newest one.
 */
export async function announceCollections(context: Context, chainId: number, at: bigint): Promise<void> {
  const before = new Date(context.clock.now().getTime() - againMs);
  await untilFew(perTransaction, () =>
    inTransaction(context, async (tx) => {
      const taken = await takeUnannounced(tx, chainId, { at, before, limit: perTransaction });
      const ids = taken.map(({ id }) => id);
      const events = await lastEvents(tx, ids);
      await announceAll(
        tx,
        taken.map(({ id, trancheTicker, revision, ...contract }) => ({
          topic: 'tranche.chain_updated',
          key: trancheTicker,
          payload: { trancheTicker, revision, contract, ...events.get(id) },
        })),
      );
      await markAnnounced(tx, ids);
      return taken.length;
    }),
  );
}
