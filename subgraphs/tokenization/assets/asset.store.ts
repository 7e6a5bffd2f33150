import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { groupBy } from '../../../shared/group-by.js';
import { AssetRow } from './asset.entity.js';

/** Returns the assets with the given ids, in the order of the ids. */
export async function assetsById(context: Context, ids: readonly string[]): Promise<(AssetRow | undefined)[]> {
  const rows = await context.manager.rows<AssetRow>(
    `SELECT ${columnsOf(context.manager, AssetRow)} FROM tokenization.assets WHERE id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** Key of a read: an estate and the number of its first assets. */
export interface FirstAssets {
  readonly patrimonyId: string;
  readonly first: number;
}

/** Returns the first assets of each estate in order of registration, in the order of the keys. Runs one query for all keys with the same number. */
export async function firstAssetsOf(context: Context, keys: readonly FirstAssets[]): Promise<AssetRow[][]> {
  const found = new Map<FirstAssets, AssetRow[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    // Reads that many rows of each status and type of an estate straight from the index, and keeps the first of these.
    const rows = await context.manager.rows<AssetRow>(
      `SELECT asset.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
         SELECT place.* FROM tokenization.asset_totals AS run CROSS JOIN LATERAL (
           SELECT ${columnsOf(context.manager, AssetRow)} FROM tokenization.assets
           WHERE patrimony_id = run.patrimony_id AND status = run.status AND type = run.type
           ORDER BY registration, id LIMIT $2) AS place
         WHERE run.patrimony_id = patrimony.id AND run.count > 0 ORDER BY place.registration, place.id LIMIT $2) AS asset`,
      [[...new Set(alike.map(({ patrimonyId }) => patrimonyId))], first],
    );
    const byPatrimony = groupBy(rows, ({ patrimonyId }) => patrimonyId);
    for (const key of alike) found.set(key, byPatrimony.get(key.patrimonyId) ?? []);
  }
  return keys.map((key) => found.get(key) ?? []);
}

/** An instalment that a debtor owes or has paid. */
export interface InstallmentRow {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly dueDate: string;
  readonly amount: string;
  readonly paidAmount: string;
  readonly paidOn: string | null;
  readonly status: 'PENDING' | 'PAID';
}

/** Returns the instalments of each asset by number, in the order of the assets; the table holds at most 1,200 per asset. */
export async function installmentsOf(context: Context, assetIds: readonly string[]): Promise<InstallmentRow[][]> {
  const rows = await context.manager.rows<InstallmentRow>(
    `SELECT asset_id AS "assetId", installment_number AS "installmentNumber", due_date::text AS "dueDate", amount,
       paid_amount AS "paidAmount", paid_on::text AS "paidOn", status
     FROM tokenization.asset_installments WHERE asset_id = ANY ($1) ORDER BY asset_id, installment_number`,
    [assetIds],
  );
  const groups = groupBy(rows, ({ assetId }) => assetId);
  return assetIds.map((id) => groups.get(id) ?? []);
}
