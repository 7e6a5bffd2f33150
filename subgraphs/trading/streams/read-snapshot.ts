import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { WalletRef } from '../ledger/balance.store.js';
import type { ChannelRef, StoredEvent } from './channel.js';
import { readHead } from './event.store.js';

/** Reads the state of a wallet, as JSON. */
export type SnapshotOf = (context: Context, wallet: WalletRef) => Promise<unknown>;

/** Reads the state of a wallet, and the number of the last event it includes, in one snapshot of the database. */
export function readSnapshot(context: Context, ref: ChannelRef, snapshot: SnapshotOf): Promise<StoredEvent> {
  return inTransaction(context, async (tx) => {
    await tx.manager.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const eventId = await readHead(tx, ref);
    return { eventId, timestamp: tx.clock.now().toISOString(), data: await snapshot(tx, ref.wallet) };
  });
}
