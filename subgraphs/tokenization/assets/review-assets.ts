import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { announceCredits } from '../assignments/book-credits.js';
import { findDue, intoDefault, moveDue, outOfDefault } from './asset-list.store.js';
import { assetEvent } from './asset-event.js';

const batch = 1000;
const mostFound = 50_000;

/** Defaults credits more than 90 days late today in São Paulo; others in default are back in force. Announces each change once. Returns the number of changed credits. */
export async function reviewAssets(context: Context): Promise<number> {
  const today = civilDate(context.clock.now());
  let total = 0;
  for (const move of [intoDefault, outOfDefault]) {
    const step = async (tx: Context, ids: readonly string[]) => {
      const assets = await moveDue(tx, move, today, ids);
      const events = assets.map((asset) => assetEvent(asset, move.from, move.to));
      await announceAll(tx, events);
      await announceCredits(
        tx,
        assets.map(({ id }) => id),
      );
      return assets.length;
    };
    const some = async () => {
      const ids = await findDue(context, move, today, mostFound);
      let moved = 0;
      for (let at = 0; at < ids.length; at += batch)
        moved += await inTransaction(context, (tx) => step(tx, ids.slice(at, at + batch)));
      total += moved;
      // Credits that others have locked are left for the next review.
      return ids.length === mostFound && moved > 0;
    };
    while (await some());
  }
  if (total > 0) context.log.info({ assets: total }, 'Credits entered default, or left it');
  return total;
}

/** Runs when an instance starts and every hour: soon after midnight in São Paulo, and soon after a downtime. */
export const assetReviewJob: Job = {
  name: 'tokenization.asset-review',
  cron: '4 * * * *',
  atStart: true,
  run: reviewAssets,
};
