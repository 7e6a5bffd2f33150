import type { Context } from '../../../shared/kernel/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import { groupBy, groupsOf, itemsOf, readAlike } from '../../../shared/kernel/group-by.js';
import type { AssetStatus } from './asset.js';
import type { AssetType } from '../../securities/asset-type.js';

/** A credit right. Money and rates are text, with exactly the digits that PostgreSQL stores. */
export interface AssetRow {
  readonly id: string;
  /** Number of the transaction that registered it, in commit order; 0 for assets from before registrations were numbered. */
  readonly registration: string;
  readonly patrimonyId: string;
  readonly externalId: string;
  /** The originator that assigned it; null if an import created it. */
  readonly originatorId: string | null;
  readonly type: AssetType;
  readonly status: AssetStatus;
  readonly debtorName: string;
  readonly debtorDocument: string;
  readonly originalValue: string;
  readonly purchasePrice: string | null;
  readonly currentBalance: string;
  /** With the surplus: late interest and fines, by which the balance did not fall. */
  readonly received: string;
  readonly surplus: string;
  readonly abated: string;
  readonly interestRate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly nextDueDate: string | null;
  readonly finalDueDate: string;
  readonly batchId: string | null;
  readonly batchName: string | null;
  readonly createdAt: Date;
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
export interface InstallmentRow {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly dueDate: string;
  readonly amount: string;
  /** With what was abated. */
  readonly paidAmount: string;
  readonly abatedAmount: string;
  readonly paidOn: string | null;
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
