import { z } from 'zod';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll, type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import { lockAssets } from '../assets/asset-list.store.js';
import { announceCredits } from './book-credits.js';
import { findWithdrawn, payAssets, noteSettledPieces } from './assigned-asset.store.js';

const pieceForm = z.object({
  batchId: z.uuid(),
  piece: z.int().nonnegative(),
  ownerId: z.string(),
  entries: z.array(
    z.object({
      receivableId: z.uuid(),
      kind: z.enum(['PAYMENT', 'ABATEMENT']),
      /** Received beyond what is owed; below zero where it is returned. */
      surplus: z.string().regex(/^-?\d+(\.\d+)?$/),
      /** In BRL. */
      settledAmount: z.string().regex(/^\d+(\.\d+)?$/),
      settledDate: z.iso.date(),
    }),
  ),
});
type Piece = z.output<typeof pieceForm>;

/**
 * Applies payments of assigned credits to the assets in the relay's transaction, and responds to each part of a batch with `assets.settled`. A repeated part
 * changes nothing. A part with a withdrawn credit waits until the credit is restored. Changes of status are announced once the batch is processed
 * (`tellMoves`).
 */
export const applySettlements: Consumer = async (tx, events) => {
  const received = await payloadsOf(tx, events, {
    topic: 'receivables.settled',
    form: pieceForm,
    subject: 'settlements',
  });
  if (received.length === 0) return;
  // Locks all of them before anything is written, so that two relays cannot deadlock.
  const ids = new Set(received.flatMap(({ entries }) => entries.map(({ receivableId }) => receivableId)));
  const found = await lockAssets(tx, [...ids]);
  if (found < ids.size) await waitForWithdrawn(tx, [...ids]);
  const pieces = await noteSettledPieces(tx, received);
  if (pieces.length === 0) return;
  if (found < ids.size) {
    const batches = [...new Set(pieces.map(({ batchId }) => batchId))];
    tx.log.error({ batches, missing: ids.size - found }, 'Settled receivables have no asset');
  }
  await apply(tx, pieces);
};

/**
 * Checks that no credit was withdrawn with its estate.
 * @throws for such a credit: the relay retries its payment until the estate is restored
 */
async function waitForWithdrawn(tx: Context, ids: readonly string[]): Promise<void> {
  const withdrawn = await findWithdrawn(tx, ids);
  if (withdrawn !== undefined)
    throw new Error(`The asset ${withdrawn} is withdrawn with its estate: its payment is postponed`);
}

async function apply(tx: Context, pieces: readonly Piece[]): Promise<void> {
  await payAssets(tx, pieces, civilDate(tx.clock.now()));
  await announceCredits(tx, [
    ...new Set(pieces.flatMap(({ entries }) => entries.map(({ receivableId }) => receivableId))),
  ]);
  await announceAll(
    tx,
    pieces.map(({ batchId, piece }) => ({
      topic: 'assets.settled',
      key: batchId,
      payload: { batchId, piece },
      internal: true,
    })),
  );
}
