import type { Context } from '../../../shared/kernel/context.js';
import { retractedOf } from '../../../shared/import/write/retract.js';
import { patrimonies } from './model/patrimonies.js';
import { tranches } from './model/tranches.js';

const goingTranches = retractedOf(tranches);
const goingPatrimonies = retractedOf(patrimonies);

/** A series to delete although its tokens have holders. */
export interface HeldTranche {
  readonly ticker: string;
  readonly address: string;
  /** Number of existing tokens: an integer. */
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

/** An estate to delete to which originators assigned credits. */
export interface AssignedPatrimony {
  readonly ticker: string;
  /** Number of credits that are settled or written off: an integer. */
  readonly closed: string;
  /** Number of credits that are open, or about to be registered: an integer. */
  readonly open: string;
  /** Whether it is deleted because it is voided, and not because its import is undone. */
  readonly isVoided: boolean;
}

/** Returns the estates to delete to which originators assigned credits. */
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
