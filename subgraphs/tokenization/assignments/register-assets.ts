import { z } from 'zod';
import { announceAll, type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import { assetTypes } from '../../securities/asset-type.js';
import { announceStates } from './book-credits.js';
import { addAssignedAssets } from './assigned-asset.store.js';

const number = z.string().regex(/^\d+(\.\d+)?$/);

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
      faceValue: number,
      dueDate: z.iso.date(),
      type: z.enum(assetTypes),
      debtorName: z.string().nullable(),
      purchasePrice: number.nullable(),
      interestRate: number.nullable(),
      /** Debts by number of the instalment. */
      installments: z.array(z.object({ dueDate: z.iso.date(), amount: number })).min(1),
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
  // One after the other, so that nothing else waits long, and ordered by estate, so that two relays cannot deadlock.
  for (const { receivables, ...batch } of pieces.toSorted(byEstate)) {
    await announceStates(tx, await addAssignedAssets(tx, batch, receivables));
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
