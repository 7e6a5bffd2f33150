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

/** Sends failed or skipped ones, kept for 30 days. A thousand are due on return, engines continue. Returns the total. @throws {ApiError} UNPROCESSABLE for a time out of bounds, NOT_FOUND, CONFLICT */
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

/** Continues the replay that follows `after` in turn. Returns the subscription; undefined if no replay can continue at the moment. */
export function continueReplay(context: Context, after: string | undefined): Promise<string | undefined> {
  return startPiece(context, { ...(after !== undefined && { after }), limit, mostWaiting });
}
