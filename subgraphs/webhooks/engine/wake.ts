import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';

export const dueTopic = 'webhooks.due';

/** Notifies the engines of all instances, after the commit, that deliveries are due. An engine that misses it looks within a second anyway. */
export function wakeEngines(tx: Context): void {
  afterCommit(tx, () => void tx.bus.publish(dueTopic, null));
}
