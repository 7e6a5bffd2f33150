import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { assetEvent } from '../assets/asset-event.js';
import { endPrices } from '../pricing/end-prices.js';
import { showRepaid } from '../pricing/repaid-series.store.js';
import { paymentEvent } from '../schedule/payment-event.js';
import { trancheEvent } from '../tranches/tranche-event.js';
import {
  raisePolicyVersions,
  readImportedTranches,
  readMovedAssets,
  readMovedTranches,
  readPaidInstalments,
  type AssetMove,
} from './conclude.store.js';

/**
 * Does what every change asks for, in its transaction: raises the policy version of a series whose policy or schedule is another
 * one, and announces what moved. Of what the house hears of for the first time nothing is announced: it did not happen now.
 */
export async function concludeChanges(tx: Context): Promise<void> {
  await raisePolicyVersions(tx);
  await announceTranches(tx);
  await announcePayments(tx);
  await endRepaid(tx);
  await announceAssets(tx);
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
