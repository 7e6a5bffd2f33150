import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { assetTransitions, inDefault } from '../assets/asset-transitions.js';
import type { PieceKey } from './settled-piece.store.js';

/** A payment of a debtor, as credit assignment announces it. */
export interface ToldPayment {
  readonly receivableId: string;
  /** In BRL. */
  readonly settledAmount: string;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
}

/** A part of a settlement batch, with its payments in order. */
export type ToldPiece = PieceKey & { readonly entries: readonly ToldPayment[] };

/**
 * Applies payments to the instalments of locked assets and updates balance, receipts, status and next due day by the rules of
 * `asset-payment.ts` and the table of `asset-transitions.ts`. Uses one statement for all payments, since a batch has up to 50,000 of them
 * and since a statement locks the totals of its estates in one order. The earliest due instalment takes what is open of it, then the next;
 * any excess is not applied. Changes of status are stored with the parts of the batch, to be announced later.
 * @param today civil date in São Paulo
 */
export async function payAssets(
  { manager, clock }: Context,
  pieces: readonly ToldPiece[],
  today: string,
): Promise<void> {
  const payments = pieces.flatMap(({ entries }, part) => entries.map((entry) => ({ ...entry, part: part + 1 })));
  await manager.execute(payText, [
    plainArray(payments.map(({ receivableId }) => receivableId)),
    plainArray(payments.map(({ settledAmount }) => settledAmount)),
    plainArray(payments.map(({ settledDate }) => settledDate)),
    plainArray(payments.map(({ part }) => String(part))),
    ...arraysOf(pieces, 'batchId', 'piece'),
    JSON.stringify(assetTransitions),
    today,
    clock.now(),
  ]);
}

/** Formats a PostgreSQL array of values whose form is already validated; pg would scan each of thousands for characters to escape. */
function plainArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

// Joins the lists only with tables by key, never with each other, and reads instalments per asset: the planner knows neither the length of
// a list nor how many rows of a new table are pending.
const payText = `
  WITH reported AS (
    SELECT asset_id, part, paid_on, place, sum(amount) OVER (PARTITION BY asset_id ORDER BY place) AS reached
    FROM unnest($1::uuid[], $2::numeric[], $3::date[], $4::integer[])
      WITH ORDINALITY AS reported (asset_id, amount, paid_on, part, place)
  ), total AS (
    SELECT asset_id, max(reached) AS amount, min(part) AS part, array_agg(reached ORDER BY place) AS reached,
      array_agg(paid_on ORDER BY place) AS days
    FROM reported GROUP BY asset_id
  ), pending AS (
    -- What is pending is picked from outside: inside, the index of what is late would be taken, and gone through for each asset.
    SELECT total.*, i.* FROM total CROSS JOIN LATERAL (
      SELECT installment_number, due_date, status, greatest(amount - paid_amount, 0) AS open,
        sum(greatest(amount - paid_amount, 0)) FILTER (WHERE status = 'PENDING')
          OVER (ORDER BY due_date, installment_number) AS through
      FROM tokenization.asset_installments WHERE asset_id = total.asset_id) AS i
    WHERE i.status = 'PENDING'
  ), paid AS (
    -- An instalment is paid on the day of the payment that reaches it; one that pays nothing, by what goes beyond it.
    SELECT pending.*, least(greatest(amount - (through - open), 0), open) AS taken,
      (SELECT payment.day FROM unnest(pending.reached, days) WITH ORDINALITY AS payment (reached, day, place)
       WHERE payment.reached > through OR (payment.reached = through AND open > 0) ORDER BY place LIMIT 1) AS paid_on
    FROM pending
  ), instalments AS (
    UPDATE tokenization.asset_installments AS i SET
      paid_amount = CASE WHEN paid.paid_on IS NULL THEN i.paid_amount + taken ELSE greatest(i.paid_amount, i.amount) END,
      paid_on = paid.paid_on, status = CASE WHEN paid.paid_on IS NULL THEN 'PENDING' ELSE 'PAID' END
    FROM paid WHERE i.asset_id = paid.asset_id AND i.installment_number = paid.installment_number
      AND (taken > 0 OR paid.paid_on IS NOT NULL)
  ), owed AS (
    SELECT asset_id, min(part) AS part, sum(open) AS before, sum(open - taken) AS after, count(*)::integer AS pending,
      count(*) FILTER (WHERE paid_on IS NULL)::integer AS still, min(due_date) FILTER (WHERE paid_on IS NULL) AS next_due
    FROM paid GROUP BY asset_id
  ), moved AS (
    UPDATE tokenization.assets AS asset SET
      -- In the proportion in which what is owed falls; with decimals enough that the division rounds nothing that shows.
      current_balance = CASE WHEN still = 0 THEN 0 WHEN owed.before = 0 THEN asset.current_balance
        ELSE round((owed.after * asset.current_balance)::numeric(100, 40) / owed.before, 2) END,
      received = asset.received + owed.before - owed.after,
      paid_installments = CASE WHEN still = 0 THEN asset.installments
        ELSE least(asset.paid_installments + owed.pending - still, asset.installments) END,
      next_due_date = owed.next_due,
      status = coalesce($7::jsonb -> asset.status ->> CASE WHEN still = 0 THEN 'PAID_IN_FULL'
        WHEN ${inDefault('owed.next_due', '$8')} THEN 'BECAME_LATE' ELSE 'CURED' END, asset.status),
      updated_at = $9
    FROM owed JOIN tokenization.assets AS old ON old.id = owed.asset_id WHERE asset.id = owed.asset_id
    RETURNING asset.id, asset.batch_id, asset.external_id, asset.patrimony_id, old.status AS previous_status, asset.status,
      asset.current_balance, owed.part
  )
  UPDATE tokenization.settled_pieces AS settled SET moves = changes.moves
  FROM (SELECT part, jsonb_agg(jsonb_build_object('assetId', id, 'contractId', id, 'batchId', batch_id, 'externalId', external_id, 'patrimonyId', patrimony_id,
          'previousStatus', previous_status, 'status', status, 'currentBalance', current_balance::text)) AS moves
        FROM moved WHERE status <> previous_status GROUP BY part) AS changes
  WHERE settled.batch_id = ($5::uuid[])[part] AND settled.piece = ($6::integer[])[part]`;
