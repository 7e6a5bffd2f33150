import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';

export const transfersDueTopic = 'trading.transfers.due';

/** Wakes the work of transfers after the commit. An instance that misses the message looks for due transfers soon anyway. */
export function wakeTransfers(tx: Context): void {
  afterCommit(tx, () => void tx.bus.publish(transfersDueTopic, null));
}
