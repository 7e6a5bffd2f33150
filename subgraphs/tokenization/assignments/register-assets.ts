import { z } from 'zod';
import { announceAll, type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import { assetTypes } from '../../securities/asset-type.js';
import { announceCredits } from './book-credits.js';
import { addAssignedAssets } from './assigned-asset.store.js';

const pieceForm = z.object({
  batchId: z.uuid(),
  batchName: z.string(),
  patrimonyId: z.uuid(),
  originatorId: z.uuid(),
  piece: z.int().nonnegative(),
  receivables: z.array(
    z.object({
      id: z.uuid(),
      externalId: z.string(),
      debtorDocument: z.string(),
      /** In BRL. */
      faceValue: z.string(),
      /** `YYYY-MM-DD` */
      dueDate: z.string(),
      type: z.enum(assetTypes),
      debtorName: z.string().nullable(),
      purchasePrice: z.string().nullable(),
      interestRate: z.string().nullable(),
      /** What the debtor owes, by number. */
      installments: z.array(z.object({ dueDate: z.string(), amount: z.string() })).min(1),
    }),
  ),
});
type Piece = z.output<typeof pieceForm>;

/**
 * Creates assets for assigned credits, with the same ids, in the relay's transaction, and responds to each part of a batch
 * with `assets.registered`. A repeated part changes nothing and gets the same response again.
 */
export const registerAssets: Consumer = async (tx, events) => {
  const pieces = await payloadsOf(tx, events, {
    topic: 'receivables.assigned',
    form: pieceForm,
    subject: 'assigned credits',
  });
  if (pieces.length === 0) return;
  // Processes parts one after the other, so that nothing else waits long, and ordered by estate, so that two relays
  // cannot deadlock.
  for (const { receivables, ...batch } of pieces.toSorted(byEstate)) {
    await addAssignedAssets(
      tx,
      receivables.map((receivable) => ({ ...batch, ...receivable })),
    );
    await announceCredits(
      tx,
      receivables.map(({ id }) => id),
    );
  }
  await announceAll(
    tx,
    pieces.map(({ batchId, piece }) => ({
      topic: 'assets.registered',
      key: batchId,
      payload: { batchId, piece },
      internal: true,
    })),
  );
};

function byEstate(one: Piece, other: Piece): number {
  return one.patrimonyId < other.patrimonyId ? -1 : Number(one.patrimonyId > other.patrimonyId);
}
