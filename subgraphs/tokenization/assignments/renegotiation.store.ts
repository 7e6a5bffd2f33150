import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { AssetRow } from '../assets/asset.store.js';
import { assetTransitions, inDefault } from '../assets/asset.js';

export interface NewRenegotiation {
  readonly id: string;
  /** Locked. */
  readonly asset: AssetRow;
  readonly due: readonly { readonly dueDate: string; readonly amount: string }[];
  readonly interestRate: string | null;
}

/**
 * Puts new instalments in the place of those that are open, keeps these for `revertRenegotiation`, and returns the number of the first new one, which no
 * instalment of the credit had before. An instalment that is paid in part ends with that part.
 */
export async function addRenegotiation(
  context: Context,
  { id, asset, due, interestRate }: NewRenegotiation,
): Promise<number> {
  const { manager, clock } = context;
  const first = await manager.one<{ number: number }>(
    `INSERT INTO tokenization.renegotiations (id, asset_id, first_number, replaced, interest_rate, recorded_at)
     SELECT $1, $2::uuid, (SELECT max(installment_number) + 1 FROM (
         SELECT installment_number FROM tokenization.asset_installments WHERE asset_id = $2::uuid
         UNION ALL SELECT installment_number FROM tokenization.asset_installments_versions WHERE asset_id = $2::uuid) AS used),
       (SELECT jsonb_agg(to_jsonb(open)) FROM (SELECT installment_number, due_date, amount, paid_amount, abated_amount
          FROM tokenization.asset_installments WHERE asset_id = $2::uuid AND status = 'PENDING') AS open),
       $3::numeric, $4 RETURNING first_number AS number`,
    [id, asset.id, asset.interestRate, clock.now()],
  );
  await manager.execute(
    `UPDATE tokenization.asset_installments SET amount = paid_amount, status = 'PAID', paid_on = $2::date
     WHERE asset_id = $1 AND status = 'PENDING' AND paid_amount > 0`,
    [asset.id, civilDate(clock.now())],
  );
  await manager.execute(`DELETE FROM tokenization.asset_installments WHERE asset_id = $1 AND status = 'PENDING'`, [
    asset.id,
  ]);
  await manager.execute(
    `INSERT INTO tokenization.asset_installments (asset_id, installment_number, due_date, amount, status)
     SELECT $1, $2::integer + ordinality - 1, due_date, amount, 'PENDING'
     FROM unnest($3::date[], $4::numeric[]) WITH ORDINALITY AS due (due_date, amount, ordinality)`,
    [asset.id, first.number, ...arraysOf(due, 'dueDate', 'amount')],
  );
  await followSchedule(context, asset.id, interestRate ?? asset.interestRate);
  return first.number;
}

/** Whether payments of a credit were decided and are not in it yet. */
export async function arePaymentsOnTheirWay({ manager }: Context, assetId: string): Promise<boolean> {
  const found = await manager.value<boolean>(
    `SELECT true FROM shared.outbox WHERE published_at IS NULL AND topic = 'receivables.settled'
       AND payload @> jsonb_build_object('entries', jsonb_build_array(jsonb_build_object('receivableId', $1::text))) LIMIT 1`,
    [assetId],
  );
  return found === true;
}

/** Finds the renegotiation whose schedule is in force. */
export function findRenegotiation(
  { manager }: Context,
  assetId: string,
): Promise<{ readonly id: string; readonly firstNumber: number } | undefined> {
  return manager.row(
    `SELECT id, first_number AS "firstNumber" FROM tokenization.renegotiations
     WHERE asset_id = $1 AND reverted_at IS NULL ORDER BY first_number DESC LIMIT 1`,
    [assetId],
  );
}

/** Puts back the instalments that a renegotiation replaced; nothing was paid of the new ones. Their versions go on where they ended. */
export async function revertRenegotiation(context: Context, id: string): Promise<void> {
  const { manager, clock } = context;
  const { assetId, interestRate } = await manager.one<{ assetId: string; interestRate: string }>(
    `UPDATE tokenization.renegotiations SET reverted_at = $2 WHERE id = $1 RETURNING asset_id AS "assetId", interest_rate AS "interestRate"`,
    [id, clock.now()],
  );
  await manager.execute(
    `DELETE FROM tokenization.asset_installments AS i USING tokenization.renegotiations AS r
     WHERE r.id = $1 AND i.asset_id = r.asset_id AND i.installment_number >= r.first_number`,
    [id],
  );
  await manager.execute(
    `INSERT INTO tokenization.asset_installments AS i
       (asset_id, installment_number, due_date, amount, paid_amount, abated_amount, status, record_version)
     SELECT r.asset_id, one.installment_number, due_date, amount, paid_amount, abated_amount, 'PENDING',
       (SELECT coalesce(max(record_version), 0) + 1 FROM tokenization.asset_installments_versions AS v
        WHERE v.asset_id = r.asset_id AND v.installment_number = one.installment_number)
     FROM tokenization.renegotiations AS r CROSS JOIN LATERAL jsonb_to_recordset(replaced)
       AS one (installment_number integer, due_date date, amount numeric, paid_amount numeric, abated_amount numeric) WHERE r.id = $1
     ON CONFLICT (asset_id, installment_number) DO UPDATE SET amount = EXCLUDED.amount, status = 'PENDING', paid_on = NULL`,
    [id],
  );
  await followSchedule(context, assetId, interestRate);
}

/** Sets balance, number of instalments, days and status of a credit by its instalments. */
async function followSchedule({ manager, clock }: Context, assetId: string, interestRate: string): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.assets AS asset SET interest_rate = $2::numeric, current_balance = own.open, installments = own.count,
       paid_installments = own.count - own.pending, next_due_date = own.next, final_due_date = own.last,
       status = coalesce($3::jsonb -> asset.status ->> CASE WHEN ${inDefault('own.next', '$4')} THEN 'BECAME_LATE' ELSE 'CURED' END, asset.status),
       updated_at = $5
     FROM (SELECT count(*)::integer AS count, count(*) FILTER (WHERE status = 'PENDING')::integer AS pending,
             sum(amount - paid_amount) FILTER (WHERE status = 'PENDING') AS open,
             min(due_date) FILTER (WHERE status = 'PENDING') AS next, max(due_date) AS last
           FROM tokenization.asset_installments WHERE asset_id = $1) AS own
     WHERE asset.id = $1`,
    [assetId, interestRate, JSON.stringify(assetTransitions), civilDate(clock.now()), clock.now()],
  );
}
