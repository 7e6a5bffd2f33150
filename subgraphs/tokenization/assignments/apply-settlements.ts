import { z } from 'zod';
import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { announceAll, type DomainEvent, type PublishedEvent } from '../../../shared/outbox/outbox.js';
import type { Consumer } from '../../../shared/outbox/relay.js';
import {
  lockAssets,
  readAssets,
  readInstalmentsOf,
  saveAssets,
  saveInstalments,
  type AssetInstalment,
} from '../assets/asset-acts.store.js';
import type { AssetRow } from '../assets/asset.entity.js';
import { assetEvent } from '../assets/asset-event.js';
import { payAsset, payInOrder } from '../assets/asset-payment.js';
import { noteSettledPieces } from './settled-piece.store.js';

/** What credit assignment announces: a part of a settlement batch, its payments in their order. */
const pieceForm = z.object({
  batchId: z.uuid(),
  piece: z.int().nonnegative(),
  ownerId: z.string(),
  entries: z.array(
    z.object({
      receivableId: z.uuid(),
      /** In BRL. */
      settledAmount: z.string(),
      settledDate: z.string(),
    }),
  ),
});
type Piece = z.output<typeof pieceForm>;

/**
 * Puts what debtors paid of assigned credits into the assets, in the relay's transaction, and answers each part of a batch
 * by `assets.settled`. Twice the same part changes nothing.
 */
export const applySettlements: Consumer = async (tx, events) => {
  const told = events.filter(({ topic }) => topic === 'receivables.settled').flatMap((event) => read(tx, event));
  if (told.length === 0) return;
  // All of them before anything is written, so that two relays wait for each other and never in a circle.
  const ids = told.flatMap(({ entries }) => entries.map(({ receivableId }) => receivableId));
  await lockAssets(tx, [...new Set(ids)]);
  const pieces = await noteSettledPieces(tx, told);
  if (pieces.length > 0) await apply(tx, pieces);
};

function read({ log }: Context, event: PublishedEvent): Piece[] {
  const parsed = pieceForm.safeParse(event.payload);
  if (parsed.success) return [parsed.data];
  // Its own transaction wrote it as what it is not: the events after it must go on.
  log.error({ event: event.id, err: parsed.error }, 'Settlements are not of the form that is announced');
  return [];
}

/** Writes all parts in one statement: it locks the totals of their estates in one order. */
async function apply(tx: Context, pieces: readonly Piece[]): Promise<void> {
  const today = civilDate(tx.clock.now());
  const entries = pieces.flatMap(({ ownerId, entries: own }) => own.map((entry) => ({ ...entry, ownerId })));
  const payments = groupBy(entries, ({ receivableId }) => receivableId);
  const ids = [...payments.keys()];
  const assets = await readAssets(tx, ids);
  const instalments = groupBy(await readInstalmentsOf(tx, ids), ({ assetId }) => assetId);
  const paid = assets.map((asset) => pay(asset, instalments.get(asset.id) ?? [], payments.get(asset.id) ?? [], today));
  if (assets.length < ids.length) {
    const batches = [...new Set(pieces.map(({ batchId }) => batchId))];
    tx.log.error({ batches, missing: ids.length - assets.length }, 'Settled receivables have no asset');
  }
  await saveInstalments(
    tx,
    paid.flatMap(({ changed }) => changed),
  );
  await saveAssets(
    tx,
    paid.map(({ after }) => after),
  );
  const moved = paid.filter(({ before, after }) => before.status !== after.status);
  await announceAll(tx, [
    ...moved.map(({ before, after }): DomainEvent => {
      const ownerId = payments.get(after.id)?.[0]?.ownerId ?? null;
      return assetEvent(after, before.status, after.status, ownerId);
    }),
    ...pieces.map(({ batchId, piece }): DomainEvent => ({
      topic: 'assets.settled',
      key: batchId,
      payload: { batchId, piece },
      internal: true,
    })),
  ]);
}

interface Paid {
  readonly before: Readonly<AssetRow>;
  readonly after: Readonly<AssetRow>;
  /** The instalments that payments went into. */
  readonly changed: readonly AssetInstalment[];
}

/** What payments make of a credit. What is more than all that is open of it, as after an operator's act, changes nothing. */
function pay(
  asset: Readonly<AssetRow>,
  before: readonly AssetInstalment[],
  payments: Piece['entries'],
  today: string,
): Paid {
  let after = before;
  for (const { settledAmount, settledDate } of payments) after = payInOrder(after, settledAmount, settledDate);
  return {
    before: asset,
    after: payAsset(asset, before, after, today),
    changed: after.filter((instalment, index) => instalment !== before[index]),
  };
}
