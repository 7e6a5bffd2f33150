import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { assetEvent } from '../assets/asset-event.js';
import { endPrices } from '../price-runs/end-prices.js';
import { showAgain, showRepaid } from '../price-runs/repaid-series.store.js';
import { paymentEvent } from '../schedule/payment-event.js';
import { trancheEvent } from '../tranches/tranche-event.js';
import { restoreAssignedAssets } from './release.store.js';
import {
  raisePolicyVersions,
  readImportedTranches,
  readMovedAssets,
  readMovedInstalments,
  readMovedTranches,
  readNames,
  type AssetMove,
} from './conclude.store.js';

/**
 * Applies the consequences of an import in its transaction: raises the policy version of series whose policy or schedule
 * changed, and announces changes. Records that the import adds are not announced as changes: nothing happened to them now.
 */
export async function concludeChanges(tx: Context, effects: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  await announcePatrimonies(tx, effects.get('patrimonies') ?? []);
  await raisePolicyVersions(tx);
  await announceTranches(tx);
  await announcePayments(tx);
  await endRepaid(tx);
  await announceAssets(tx);
}

/** Announces estates to other domains, new ones included. A deleted estate accepts no more credits. */
async function announcePatrimonies(tx: Context, effects: readonly Effect[]): Promise<void> {
  const ids = effects.flatMap(({ affected }) => affected ?? []);
  if (ids.length === 0) return;
  await restoreAssignedAssets(tx, ids);
  const named = await readNames(tx, ids);
  await announceAll(
    tx,
    named.map((patrimony) => ({
      topic: 'patrimony.registered',
      key: patrimony.id,
      payload: patrimony,
      internal: true,
    })),
  );
}

async function announceTranches(tx: Context): Promise<void> {
  const moved = await readMovedTranches(tx);
  await announceAll(tx, moved.map(trancheEvent));
}

async function announcePayments(tx: Context): Promise<void> {
  const moved = await readMovedInstalments(tx);
  await announceAll(
    tx,
    moved.map((row) =>
      paymentEvent(row.status === 'PAID' ? 'payment.completed' : 'payment.overdue', row.trancheTicker, row),
    ),
  );
}

/** Shows repaid series at a price of zero. No event for added ones: no price of them was announced before. */
async function endRepaid(tx: Context): Promise<void> {
  const { before, added } = await readImportedTranches(tx);
  await endPrices(tx, before);
  await showAgain(tx, before);
  await showRepaid(tx, added, civilDate(tx.clock.now()));
}

const batch = 5000;

/** Works in batches, since a portfolio may be large. */
async function announceAssets(tx: Context): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    const moved: AssetMove[] = await readMovedAssets(tx, after, batch);
    await announceAll(
      tx,
      moved.map((asset): DomainEvent => assetEvent(asset, asset.previousStatus, asset.status)),
    );
    after = moved.length < batch ? undefined : moved.at(-1)?.id;
  }
}
