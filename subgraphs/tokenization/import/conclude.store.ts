import type { Context } from '../../../shared/kernel/context.js';
import type { MovedAsset } from '../assets/asset-list.store.js';
import type { AssetStatus } from '../assets/asset.js';
import type { PatrimonyStatus } from '../patrimonies/patrimony.js';
import type { InstalmentNews } from '../schedule/payment-event.js';
import { isPartlyPaid, recordedColumns, wasReversed } from '../schedule/schedule.store.js';
import type { MovedTranche } from '../tranches/tranche-event.js';
import { policyDigest } from './known.js';
import { retractedOf } from '../../../shared/import/write/retract.js';
import { patrimonies } from './model/patrimonies.js';
import { tranches } from './model/tranches.js';

/** Amounts of instalments of which nothing is paid are computed again with its prices. @returns how many series there are */
export async function raisePolicyVersions({ manager, clock }: Context): Promise<number> {
  const { count } = await manager.one<{ count: number }>(
    `WITH raised AS (
       UPDATE tokenization.tranches t SET policy_version = policy_version + 1, updated_at = $1 FROM known_tranches k
       WHERE k.id = t.id AND k.digest_before <> ${policyDigest} RETURNING t.id
     ), emptied AS (
     UPDATE tokenization.schedule_entries e SET interest_value = NULL, principal_value = NULL, premium_value = 0, total_value = NULL
     FROM raised WHERE e.tranche_id = raised.id AND e.status <> 'PAID' AND e.total_value IS NOT NULL
       AND NOT ${isPartlyPaid}
     ) SELECT count(*)::integer AS count FROM raised`,
    [clock.now()],
  );
  return count;
}

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
       e.interest_value AS "interestValue", e.principal_value AS "principalValue", e.premium_value AS "premiumValue", e.total_value AS "totalValue", e.status,
       ${recordedColumns('e')}, ${wasReversed('e')} AS correction
     FROM known_schedule k JOIN tokenization.tranches t ON t.id = k.tranche_id
     JOIN tokenization.schedule_entries e ON e.tranche_id = k.tranche_id AND e.installment_number = k.installment_number
     WHERE (k.status = 'PAID' AND k.status_before <> 'PAID')
       OR (e.status = 'OVERDUE' AND k.status_before = 'PAID' AND t.status IN ('FUNDRAISING', 'ACTIVE')) ORDER BY t.ticker, e.installment_number`,
  );
}

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

const goingTranches = retractedOf(tranches);
const goingPatrimonies = retractedOf(patrimonies);

export interface HeldTranche {
  readonly ticker: string;
  readonly address: string;
  readonly totalSupply: string;
}

/** Returns the series to delete whose tokens have holders, as far as the chain has been read. */
export function readHeldTranches({ manager }: Context): Promise<HeldTranche[]> {
  return manager.rows(
    `SELECT r.ticker, c.address, greatest(coalesce(c.total_supply, 0), held.tokens)::text AS "totalSupply"
     FROM ${goingTranches} r JOIN tokenization.collections c ON c.tranche_id = r.own_id
     CROSS JOIN LATERAL (SELECT coalesce(sum(last_token_id - first_token_id + 1), 0) AS tokens
       FROM tokenization.token_ranges WHERE collection_id = c.id) AS held
     WHERE c.total_supply > 0 OR held.tokens > 0 ORDER BY r.ticker`,
  );
}

export interface AssignedPatrimony {
  readonly ticker: string;
  /** Number of credits that are settled or written off: an integer. */
  readonly closed: string;
  /** Number of credits that are open, or about to be registered: an integer. */
  readonly open: string;
  /** Whether it is deleted because it is voided, and not because its import is undone. */
  readonly isVoided: boolean;
}

export function readAssignedPatrimonies({ manager }: Context): Promise<AssignedPatrimony[]> {
  return manager.rows(
    `SELECT * FROM (
       SELECT r.ticker, assigned.closed, coalesce(current_setting('lastro.voiding', true), '') <> '' AS "isVoided",
         assigned.open + (SELECT coalesce(sum(jsonb_array_length(payload -> 'receivables')), 0) FROM shared.outbox
            WHERE published_at IS NULL AND topic = 'receivables.assigned' AND payload ->> 'patrimonyId' = r.own_id::text) AS open
       FROM ${goingPatrimonies} r CROSS JOIN LATERAL (
         SELECT count(*) FILTER (WHERE a.status IN ('ACTIVE', 'DEFAULTED')) AS open,
           count(*) FILTER (WHERE a.status NOT IN ('ACTIVE', 'DEFAULTED')) AS closed
         FROM tokenization.assets a WHERE a.patrimony_id = r.own_id AND a.originator_id IS NOT NULL) AS assigned) AS estate
     WHERE open + closed > 0 ORDER BY open = 0, ticker`,
  );
}

// The tables of credits with the column of their estate, children first.
const creditTables = [
  { table: 'asset_installments', key: ['asset_id', 'installment_number'] },
  { table: 'assets', key: ['id'] },
];

/** Deletes the credits that originators assigned to the estates to delete. They do not belong to any import. */
export async function removeAssignedAssets({ manager }: Context): Promise<void> {
  const assigned = `SELECT id FROM tokenization.assets
    WHERE originator_id IS NOT NULL AND patrimony_id IN (SELECT own_id FROM ${goingPatrimonies})`;
  for (const { table, key } of creditTables)
    await manager.execute(`DELETE FROM tokenization.${table} WHERE ${key[0] ?? ''} IN (${assigned})`);
}

/** Restores the credits that were deleted with estates that exist again. Version numbers continue, since payments are found by them. */
export async function restoreAssignedAssets({ manager }: Context, patrimonyIds: readonly string[]): Promise<void> {
  const { ids } = await manager.one<{ ids: string[] | null }>(
    `SELECT array_agg(DISTINCT v.id) AS ids FROM tokenization.assets_versions v
     WHERE v.patrimony_id IN (SELECT id FROM tokenization.patrimonies_versions WHERE id = ANY ($1::uuid[]) AND voided)
       AND v.originator_id IS NOT NULL AND v.voided
       AND NOT EXISTS (SELECT FROM tokenization.assets a WHERE a.id = v.id)
       AND EXISTS (SELECT FROM tokenization.patrimonies p WHERE p.id = v.patrimony_id)`,
    [patrimonyIds],
  );
  if (ids === null) return;
  for (const { table, key } of creditTables.toReversed())
    await manager.execute(
      `INSERT INTO tokenization.${table} SELECT (jsonb_populate_record(NULL::tokenization.${table}, to_jsonb(was) || own.version)).*
       FROM (SELECT DISTINCT ON (${key.join(', ')}) * FROM tokenization.${table}_versions
             WHERE ${key[0] ?? ''} = ANY ($1::uuid[]) ORDER BY ${key.join(', ')}, record_version DESC) AS was
       CROSS JOIN LATERAL (SELECT jsonb_build_object('record_version', was.record_version + 1, 'recorded_at', shared.version_moment(),
         'recorded_by', shared.version_act(), 'source_file', NULL, 'source_line', NULL,
         'registration', current_setting('lastro.asset_registration', true)) AS version) AS own`,
      [ids],
    );
}
