import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { AssetRow, InstallmentRow } from '../assets/asset.store.js';
import type { AssetStatus } from '../assets/asset.js';
import { unknownDebtor } from '../assets/debtor-name.js';
import { assetSearchText } from '../assets/search-text.js';

/** A credit that an originator assigned to an estate. */
export interface AssignedAsset {
  /** Id of both the receivable and the asset. */
  readonly id: string;
  readonly patrimonyId: string;
  readonly originatorId: string;
  readonly batchId: string;
  readonly batchName: string;
  readonly externalId: string;
  readonly debtorDocument: string;
  /** In BRL. */
  readonly faceValue: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
}

/** Stores credits as assets, each with one instalment of its face value, in one statement. Existing assets stay unchanged. */
export async function addAssignedAssets({ manager, clock }: Context, assets: readonly AssignedAsset[]): Promise<void> {
  await manager.execute(
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::numeric[],
         $9::date[], $10::text[]) AS given (id, patrimony_id, originator_id, batch_id, batch_name, external_id,
         debtor_document, face_value, due_date, search_text)
     ), added AS (
       INSERT INTO tokenization.assets (id, patrimony_id, originator_id, batch_id, batch_name, external_id, type, status, debtor_name,
         debtor_document, original_value, current_balance, interest_rate, installments, next_due_date, final_due_date, search_text,
         created_at, updated_at)
       SELECT id, patrimony_id, originator_id, batch_id, batch_name, external_id, 'CCB', 'ACTIVE', $11, debtor_document,
         face_value, face_value, 0, 1, due_date, due_date, search_text, $12, $12
       FROM given ON CONFLICT DO NOTHING RETURNING id, final_due_date, original_value
     )
     INSERT INTO tokenization.asset_installments (asset_id, installment_number, due_date, amount, status)
     SELECT id, 1, final_due_date, original_value, 'PENDING' FROM added`,
    [
      ...arraysOf(
        assets,
        'id',
        'patrimonyId',
        'originatorId',
        'batchId',
        'batchName',
        'externalId',
        'debtorDocument',
        'faceValue',
        'dueDate',
      ),
      assets.map(({ externalId, debtorDocument }) =>
        assetSearchText({ externalId, debtorName: unknownDebtor, debtorDocument }),
      ),
      unknownDebtor,
      clock.now(),
    ],
  );
}

/** State of an assigned credit and one of its instalments before the last payment of that instalment that is not reversed. Amounts in BRL. */
export interface BeforePayment {
  readonly paidAmount: string;
  readonly paidOn: string | null;
  readonly instalmentStatus: InstallmentRow['status'];
  readonly assetStatus: AssetStatus;
  /** The audit log entry of the operator who recorded the payment; null if a settlement batch contained it. */
  readonly act: string | null;
}

/**
 * Finds the state of a credit before the last payment of an instalment that is not reversed: its newest version with a smaller received amount. Undefined if
 * no such version was kept.
 */
export function findBeforePayment(
  { manager }: Context,
  asset: AssetRow,
  { installmentNumber, paidAmount }: InstallmentRow,
): Promise<BeforePayment | undefined> {
  return manager.row(
    `SELECT i.paid_amount AS "paidAmount", i.paid_on::text AS "paidOn", i.status AS "instalmentStatus", a.status AS "assetStatus",
       (SELECT l.id FROM shared.audit_log l WHERE l.id = i.superseded_by) AS act
     FROM (SELECT * FROM tokenization.asset_installments_versions
           WHERE asset_id = $1 AND installment_number = $2 AND paid_amount < $3::numeric ORDER BY record_version DESC LIMIT 1) AS i,
       (SELECT * FROM tokenization.assets_versions
        WHERE id = $1 AND received < $4::numeric ORDER BY record_version DESC LIMIT 1) AS a`,
    [asset.id, installmentNumber, paidAmount, asset.received],
  );
}

/** Returns one of the given credits that was withdrawn with its estate and may be restored. */
export function findWithdrawn({ manager }: Context, ids: readonly string[]): Promise<string | undefined> {
  return manager.value(
    `SELECT v.id FROM tokenization.assets_versions v WHERE v.id = ANY ($1::uuid[]) AND v.voided
       AND NOT EXISTS (SELECT FROM tokenization.assets a WHERE a.id = v.id) LIMIT 1`,
    [ids],
  );
}

/** Whether an originator assigned a credit. */
export async function isAssigned({ manager }: Context, id: string): Promise<boolean> {
  const rows = await manager.rows<unknown>(
    'SELECT FROM tokenization.assets WHERE id = $1 AND originator_id IS NOT NULL',
    [id],
  );
  return rows.length > 0;
}
