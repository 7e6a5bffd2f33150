import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { replaySinceErrors } from './delivery.js';
import { countMissed, markReplay, startPiece } from './replay.store.js';

/** Deliveries that are made due at once. */
const limit = 1_000;
/** No more is made due while so many wait: what a deactivation has to skip stays small. */
const mostWaiting = 5_000;

/**
 * Sends everything again that failed or was skipped, of events since a moment; they are kept for 30 days. The first thousand
 * are due when it answers; for the rest the subscription is marked, and the engines go on. Answers how many they are in all.
 * @throws {ApiError} UNPROCESSABLE for a moment to come, or before what is kept, NOT_FOUND, CONFLICT while the subscription is
 *   deactivated
 */
export async function replay(context: Context, id: string, since: Date): Promise<number> {
  refuse('UNPROCESSABLE', replaySinceErrors(since, context.clock.now()));
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const count = await countMissed(tx, subscription.id, since);
    await markReplay(tx, subscription.id, since);
    await startPiece(tx, { id: subscription.id, limit, mostWaiting });
    afterCommit(tx, () => {
      wakeEngines(context);
    });
    return count;
  });
}

/**
 * Makes the next thousand deliveries due of the replay whose turn it is behind that of `after`. Answers the subscription;
 * undefined where no replay can go on at the moment.
 */
export function continueReplay(context: Context, after: string | undefined): Promise<string | undefined> {
  return startPiece(context, { ...(after !== undefined && { after }), limit, mostWaiting });
}
