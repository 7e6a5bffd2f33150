import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { assetEvent } from '../assets/asset-event.js';
import { endPrices } from '../pricing/end-prices.js';
import { showAgain, showRepaid } from '../pricing/repaid-series.store.js';
import { paymentEvent } from '../schedule/payment-event.js';
import { trancheEvent } from '../tranches/tranche-event.js';
import { restoreAssignedAssets } from './release.store.js';
import {
  raisePolicyVersions,
  readImportedTranches,
  readMovedAssets,
  readMovedTranches,
  readNames,
  readPaidInstalments,
  type AssetMove,
} from './conclude.store.js';

/**
 * Does what every change asks for, in its transaction: raises the policy version of a series whose policy or schedule is another
 * one, and announces what moved. Of what the house hears of for the first time nothing is announced: it did not happen now.
 */
export async function concludeChanges(tx: Context, effects: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  await announcePatrimonies(tx, effects.get('patrimonies') ?? []);
  await raisePolicyVersions(tx);
  await announceTranches(tx);
  await announcePayments(tx);
  await endRepaid(tx);
  await announceAssets(tx);
}

/** Other domains know estates by this event: those that are new too. One that is gone takes nothing in any more. */
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
  const paid = await readPaidInstalments(tx);
  await announceAll(
    tx,
    paid.map((row) => paymentEvent('payment.completed', row.trancheTicker, row)),
  );
}

/** What is new comes as it stands: no price of it was told before. */
async function endRepaid(tx: Context): Promise<void> {
  const { before, added } = await readImportedTranches(tx);
  await endPrices(tx, before);
  await showAgain(tx, before);
  await showRepaid(tx, added, civilDate(tx.clock.now()));
}

const batch = 5000;

/** In batches, since a portfolio may be large. */
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
