import type { Context } from '../../../shared/kernel/context.js';
import type { MovedAsset } from '../assets/asset-writes.store.js';
import type { AssetStatus } from '../assets/asset.js';
import type { PatrimonyStatus } from '../patrimonies/patrimony.js';
import type { InstalmentNews } from '../schedule/payment-event.js';
import { wasReversed } from '../schedule/schedule.store.js';
import type { MovedTranche } from '../tranches/tranche-event.js';
import { policyDigest } from './known.js';

/** Raises the policy version of each changed series; the amounts of its unpaid instalments are computed again with its prices. */
export async function raisePolicyVersions({ manager, clock }: Context): Promise<void> {
  await manager.execute(
    `WITH raised AS (
       UPDATE tokenization.tranches t SET policy_version = policy_version + 1, updated_at = $1 FROM known_tranches k
       WHERE k.id = t.id AND k.digest_before <> ${policyDigest} RETURNING t.id
     )
     UPDATE tokenization.schedule_entries e SET interest_value = NULL, principal_value = NULL, total_value = NULL
     FROM raised WHERE e.tranche_id = raised.id AND e.status <> 'PAID' AND e.total_value IS NOT NULL`,
    [clock.now()],
  );
}

/** The fields of an event about an estate. */
interface AnnouncedPatrimony {
  readonly id: string;
  readonly ticker: string;
  readonly name: string;
  readonly status: PatrimonyStatus;
  /** Null for one that was deleted. */
  readonly slug: string | null;
  readonly operationTicker: string | null;
}

/** Returns names and status of estates; deleted ones count as closed. */
export function readNames({ manager }: Context, ids: readonly string[]): Promise<AnnouncedPatrimony[]> {
  return manager.rows(
    `SELECT id, ticker, name, status, slug, operation_ticker AS "operationTicker" FROM (
       SELECT id, ticker, name, status, slug, operation_ticker FROM tokenization.patrimonies WHERE id = ANY ($1::uuid[])
       UNION ALL (
         SELECT DISTINCT ON (v.id) v.id, v.ticker, v.name, 'CLOSED', NULL, NULL FROM tokenization.patrimonies_versions v
         WHERE v.id = ANY ($1::uuid[]) AND NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE p.id = v.id)
         ORDER BY v.id, v.voided DESC, v.superseded_at DESC)) AS known
     ORDER BY lower(ticker)`,
    [ids],
  );
}

/** Returns the series whose status the import changed. */
export function readMovedTranches({ manager }: Context): Promise<MovedTranche[]> {
  return manager.rows(
    `SELECT t.ticker AS "trancheTicker", p.ticker AS "patrimonyTicker", k.status_before AS "previousStatus", t.status
     FROM known_tranches k JOIN tokenization.tranches t ON t.id = k.id JOIN tokenization.patrimonies p ON p.id = t.patrimony_id
     WHERE t.status <> k.status_before ORDER BY t.ticker`,
  );
}

/** Returns the ids of the series that the import names: those that existed before, and those that it added. */
export async function readImportedTranches({
  manager,
}: Context): Promise<{ readonly before: readonly string[]; readonly added: readonly string[] }> {
  const rows = await manager.rows<{ id: string; added: boolean }>(
    'SELECT id, status_before IS NULL AS added FROM known_tranches',
  );
  const idsOf = (wanted: boolean) => rows.filter(({ added }) => added === wanted).map(({ id }) => id);
  return { before: idsOf(false), added: idsOf(true) };
}

/** Returns the instalments of series that the import marked as paid, and those whose payment it took back after their due day. */
export function readMovedInstalments({
  manager,
}: Context): Promise<(InstalmentNews & { readonly trancheTicker: string })[]> {
  return manager.rows(
    `SELECT t.ticker AS "trancheTicker", e.installment_number AS "installmentNumber", e.due_date::text AS "dueDate",
       e.interest_value AS "interestValue", e.principal_value AS "principalValue", e.total_value AS "totalValue", e.status,
       ${wasReversed('e')} AS correction
     FROM known_schedule k JOIN tokenization.tranches t ON t.id = k.tranche_id
     JOIN tokenization.schedule_entries e ON e.tranche_id = k.tranche_id AND e.installment_number = k.installment_number
     WHERE (k.status = 'PAID' AND k.status_before <> 'PAID')
       OR (e.status = 'OVERDUE' AND k.status_before = 'PAID' AND t.status IN ('FUNDRAISING', 'ACTIVE')) ORDER BY t.ticker, e.installment_number`,
  );
}

/** A credit whose status changed. */
export interface AssetMove extends MovedAsset {
  readonly previousStatus: AssetStatus;
  readonly status: AssetStatus;
}

/** Returns the credits whose status the import changed, ordered by id, after a given one, at most `limit`. */
export function readMovedAssets({ manager }: Context, after: string, limit: number): Promise<AssetMove[]> {
  return manager.rows(
    `SELECT a.id, a.batch_id AS "batchId", a.external_id AS "externalId", a.debtor_document AS "debtorDocument", a.patrimony_id AS "patrimonyId",
         a.current_balance AS "currentBalance", o.status_before AS "previousStatus", a.status
       FROM known_outcomes o JOIN tokenization.assets a ON a.id = o.id
       WHERE o.status <> o.status_before AND o.id > $1 ORDER BY o.id LIMIT $2`,
    [after, limit],
  );
}
