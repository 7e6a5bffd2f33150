import type { Context } from '../../../shared/context.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import type { MovedAsset } from '../assets/asset-acts.store.js';
import { assetEvent } from '../assets/asset-event.js';
import type { AssetStatus } from '../assets/asset.js';
import { paymentEvent, type InstalmentNews } from '../schedule/payment-event.js';
import type { TrancheStatus } from '../tranches/tranche.js';
import { policyDigest } from './known.js';

/**
 * Does what every change asks for, in its transaction: raises the policy version of a series whose policy or schedule is another
 * one, and announces what moved. Of what the house hears of for the first time nothing is announced: it did not happen now.
 */
export async function concludeChanges(tx: Context): Promise<void> {
  await raisePolicyVersions(tx);
  await announceTranches(tx);
  await announcePayments(tx);
  await announceAssets(tx);
}

/** What unpaid instalments pay is made anew with the prices. */
async function raisePolicyVersions({ manager, clock }: Context): Promise<void> {
  await manager.query(
    `WITH raised AS (
       UPDATE tokenization.tranches t SET policy_version = policy_version + 1, updated_at = $1 FROM known_tranches k
       WHERE k.id = t.id AND k.digest_before <> ${policyDigest} RETURNING t.id
     )
     UPDATE tokenization.schedule_entries e SET interest_value = NULL, principal_value = NULL, total_value = NULL
     FROM raised WHERE e.tranche_id = raised.id AND e.status <> 'PAID' AND e.total_value IS NOT NULL`,
    [clock.now()],
  );
}

async function announceTranches(tx: Context): Promise<void> {
  const moved = await tx.manager.query<
    { trancheTicker: string; patrimonyTicker: string; previousStatus: TrancheStatus; status: TrancheStatus }[]
  >(
    `SELECT t.ticker AS "trancheTicker", p.ticker AS "patrimonyTicker", k.status_before AS "previousStatus", t.status
     FROM known_tranches k JOIN tokenization.tranches t ON t.id = k.id JOIN tokenization.patrimonies p ON p.id = t.patrimony_id
     WHERE t.status <> k.status_before ORDER BY t.ticker`,
  );
  const events = moved.map((data) => ({
    topic: 'tranche.status_changed',
    key: data.trancheTicker,
    payload: { ownerId: null, data },
  }));
  await announceAll(tx, events);
}

async function announcePayments(tx: Context): Promise<void> {
  const paid = await tx.manager.query<(InstalmentNews & { readonly trancheTicker: string })[]>(
    `SELECT t.ticker AS "trancheTicker", e.installment_number AS "installmentNumber", e.due_date::text AS "dueDate",
       e.interest_value AS "interestValue", e.principal_value AS "principalValue", e.total_value AS "totalValue", e.status
     FROM known_schedule k JOIN tokenization.tranches t ON t.id = k.tranche_id
     JOIN tokenization.schedule_entries e ON e.tranche_id = k.tranche_id AND e.installment_number = k.installment_number
     WHERE k.status = 'PAID' AND k.status_before <> 'PAID' ORDER BY t.ticker, e.installment_number`,
  );
  await announceAll(
    tx,
    paid.map((row) => paymentEvent('payment.completed', row.trancheTicker, row)),
  );
}

interface AssetMove extends MovedAsset {
  readonly previousStatus: AssetStatus;
  readonly status: AssetStatus;
}

const batch = 5000;

/** In batches, since a portfolio may be large. */
async function announceAssets(tx: Context): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    const moved: AssetMove[] = await tx.manager.query(
      `SELECT a.id, a.external_id AS "externalId", a.patrimony_id AS "patrimonyId", a.current_balance AS "currentBalance",
         o.status_before AS "previousStatus", a.status
       FROM known_outcomes o JOIN tokenization.assets a ON a.id = o.id
       WHERE o.status <> o.status_before AND o.id > $1 ORDER BY o.id LIMIT ${batch}`,
      [after],
    );
    await announceAll(
      tx,
      moved.map((asset): DomainEvent => assetEvent(asset, asset.previousStatus, asset.status)),
    );
    after = moved.length < batch ? undefined : moved.at(-1)?.id;
  }
}
