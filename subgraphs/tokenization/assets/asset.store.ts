import type { Context } from '../../../shared/kernel/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import { groupBy, groupsOf, itemsOf, readAlike } from '../../../shared/kernel/group-by.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Asset, AssetPayment } from './asset.type.js';

/** A credit right. Money and rates are text, with exactly the digits that PostgreSQL stores. */
export interface AssetRow extends Shape<Asset> {
  /** Number of the transaction that registered it, in commit order; 0 for assets from before registrations were numbered. */
  readonly registration: string;
  /** The originator that assigned it; null if an import created it. */
  readonly originatorId: string | null;
  readonly updatedAt: Date;
}

export const assetColumns = columnsOf<AssetRow>()(
  'id registration patrimonyId externalId originatorId type status debtorName debtorDocument originalValue purchasePrice',
  'currentBalance received surplus abated interestRate installments paidInstallments nextDueDate::text finalDueDate::text',
  'batchId batchName createdAt updatedAt',
);

export async function assetsById(context: Context, ids: readonly string[]): Promise<(AssetRow | undefined)[]> {
  const rows = await context.manager.rows<AssetRow>(
    `SELECT ${assetColumns} FROM tokenization.assets WHERE id = ANY ($1)`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id);
}

/** Key of a read: some assets of an estate, in order of registration. */
export interface AssetsOfPatrimony {
  readonly patrimonyId: string;
  /** The place beyond which they are. */
  readonly after: { readonly registration: string; readonly id: string };
  readonly backward: boolean;
  readonly limit: number;
}

/** Returns assets of estates in the order of the keys, from their place on or back from it. Runs one query for all keys of the same number and direction. */
export function assetsOfPatrimonies({ manager }: Context, keys: readonly AssetsOfPatrimony[]): Promise<AssetRow[][]> {
  return readAlike(keys, ['limit', 'backward'], async (one, alike) => {
    const { beyond, direction } = keyset('ASC', one);
    // Reads that many rows of each status and type of an estate straight from the index, and keeps the first of these.
    const rows = await manager.rows<AssetRow & { readonly key: number }>(
      `SELECT asset.* FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) WITH ORDINALITY AS wanted (patrimony_id, registration, id, key)
       CROSS JOIN LATERAL (
         SELECT wanted.key::int, place.* FROM tokenization.asset_totals AS run CROSS JOIN LATERAL (
           SELECT ${assetColumns} FROM tokenization.assets
           WHERE patrimony_id = run.patrimony_id AND status = run.status AND type = run.type
             AND (registration, id) ${beyond} (wanted.registration, wanted.id)
           ORDER BY registration ${direction}, id ${direction} LIMIT $4) AS place
         WHERE run.patrimony_id = wanted.patrimony_id AND run.count > 0
         ORDER BY place.registration ${direction}, place.id ${direction} LIMIT $4) AS asset
       ORDER BY asset.key, asset.registration ${direction}, asset.id ${direction}`,
      [
        alike.map(({ patrimonyId }) => patrimonyId),
        alike.map(({ after }) => after.registration),
        alike.map(({ after }) => after.id),
        one.limit,
      ],
    );
    const byKey = groupBy(rows, ({ key }) => key);
    return (_key, index) => byKey.get(index + 1) ?? [];
  });
}

/** An instalment that a debtor owes or has paid. Amounts in BRL. */
export interface InstallmentRow extends Omit<Shape<AssetPayment>, 'status'> {
  readonly assetId: string;
  readonly status: 'PENDING' | 'PAID';
}

export const installmentColumns = columnsOf<InstallmentRow>()(
  'assetId installmentNumber dueDate::text amount paidAmount abatedAmount paidOn::text status',
);

/** Returns the instalments of each asset by number, in the order of the assets; the table holds at most 1,200 per asset. */
export async function installmentsOf(context: Context, assetIds: readonly string[]): Promise<InstallmentRow[][]> {
  const rows = await context.manager.rows<InstallmentRow>(
    `SELECT ${installmentColumns} FROM tokenization.asset_installments WHERE asset_id = ANY ($1) ORDER BY asset_id, installment_number`,
    [assetIds],
  );
  return groupsOf(assetIds, rows, ({ assetId }) => assetId);
}
