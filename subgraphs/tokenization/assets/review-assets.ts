import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll } from '../../../shared/outbox/outbox.js';
import type { Job } from '../../../shared/scheduler.js';
import { untilFew } from '../../../shared/until-few.js';
import { putInDefault, takeOutOfDefault } from './asset-writes.store.js';
import { assetEvent } from './asset-event.js';
import type { AssetStatus } from './asset.js';

const batch = 1000;

const moves = [
  { from: 'ACTIVE', to: 'DEFAULTED', move: putInDefault },
  { from: 'DEFAULTED', to: 'ACTIVE', move: takeOutOfDefault },
] as const satisfies readonly { from: AssetStatus; to: AssetStatus; move: unknown }[];

/**
 * Puts credits in default that are more than 90 days late today in São Paulo, puts those that no longer are back in force,
 * and announces each change once. Returns the number of changed credits.
 */
export async function reviewAssets(context: Context): Promise<number> {
  const today = civilDate(context.clock.now());
  let total = 0;
  for (const { from, to, move } of moves) {
    const step = async (tx: Context) => {
      const assets = await move(tx, today, batch);
      const events = assets.map((asset) => assetEvent(asset, from, to));
      await announceAll(tx, events);
      return assets.length;
    };
    total += await untilFew(batch, () => inTransaction(context, step));
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
