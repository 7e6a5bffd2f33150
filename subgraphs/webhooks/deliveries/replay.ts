import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { replaySinceErrors } from './delivery.js';
import { countMissed, markReplay, startPiece } from './replay.store.js';

/** Number of deliveries made due per step. */
const limit = 1_000;
/** The replay pauses above this number of pending deliveries, so that a deactivation has few to skip. */
const mostWaiting = 5_000;

/**
 * Resends all failed or skipped deliveries of events since a given time; they are kept for 30 days. The first thousand are due
 * on return; for the rest the subscription is marked, and the engines continue. Returns the total number.
 * @throws {ApiError} UNPROCESSABLE for a time in the future, or before the retention period, NOT_FOUND, CONFLICT while the
 *   subscription is deactivated
 */
export async function replay(context: Context, id: string, since: Date): Promise<number> {
  refuse('UNPROCESSABLE', replaySinceErrors(since, context.clock.now()));
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const count = await countMissed(tx, subscription.id, since);
    await markReplay(tx, subscription.id, since);
    await startPiece(tx, { id: subscription.id, limit, mostWaiting });
    wakeEngines(tx);
    return count;
  });
}

/**
 * Makes the next thousand deliveries due of the replay that follows `after` in turn. Returns the subscription; undefined if
 * no replay can continue at the moment.
 */
export function continueReplay(context: Context, after: string | undefined): Promise<string | undefined> {
  return startPiece(context, { ...(after !== undefined && { after }), limit, mostWaiting });
}
