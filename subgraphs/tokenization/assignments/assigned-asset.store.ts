import { sum } from '../../../shared/kernel/decimal.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { AssetRow, InstallmentRow } from '../assets/asset.store.js';
import { type AssetStatus, assetTransitions, inDefault } from '../assets/asset.js';
import { unknownDebtor } from '../assets/debtor-name.js';
import { assetSearchText } from '../assets/tax-ids-in-text.js';

/** Common data of the credits of a batch. */
export interface AssignedBatch {
  readonly batchId: string;
  readonly batchName: string;
  readonly patrimonyId: string;
  readonly originatorId: string;
}

export interface AssignedAsset extends Pick<
  AssetRow,
  'id' | 'externalId' | 'debtorDocument' | 'type' | 'purchasePrice'
> {
  /** In BRL. */
  readonly faceValue: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  readonly debtorName: string | null;
  /** Percent a year. */
  readonly interestRate: string | null;
  /** Debts by number of the instalment; amounts in BRL. */
  readonly installments: readonly { readonly dueDate: string; readonly amount: string }[];
}

/** Stores credits as assets, whose balance is the sum of their instalments; existing assets stay unchanged. Returns the new ones as `readCredits` does. */
export function addAssignedAssets(
  { manager, clock }: Context,
  { batchId, batchName, patrimonyId, originatorId }: AssignedBatch,
  assets: readonly AssignedAsset[],
): Promise<CreditState[]> {
  const due = assets.flatMap(({ id, installments }) => installments.map((one, at) => ({ id, number: at + 1, ...one })));
  return manager.rows(
    `WITH given AS (
       SELECT * FROM unnest($6::uuid[], $7::numeric[], $8::date[], $9::text[], $10::numeric[], $11::numeric[], $12::text[], $13::text[], $14::text[],
         $15::text[]) AS given (id, face_value, due_date, type, purchase_price, interest_rate, external_id, debtor_document, debtor_name, search_text)
     ), due AS (
       SELECT * FROM unnest($16::uuid[], $17::integer[], $18::date[], $19::numeric[]) AS due (asset_id, number, due_date, amount)
     ), added AS (
       INSERT INTO tokenization.assets (id, patrimony_id, originator_id, batch_id, batch_name, external_id, type, status, debtor_name,
         debtor_document, original_value, purchase_price, current_balance, interest_rate, installments, next_due_date, final_due_date,
         search_text, created_at, updated_at)
       SELECT id, $1, $2, $3, $4, external_id, type, 'ACTIVE', debtor_name, debtor_document,
         face_value, purchase_price, owed.amount, coalesce(interest_rate, 0), owed.count, owed.first, due_date, search_text, $5, $5
       FROM given JOIN (SELECT asset_id, sum(amount) AS amount, count(*) AS count, min(due_date) AS first FROM due GROUP BY asset_id) AS owed
         ON owed.asset_id = given.id
       ON CONFLICT DO NOTHING RETURNING *
     ), scheduled AS (
       INSERT INTO tokenization.asset_installments (asset_id, installment_number, due_date, amount, status)
       SELECT asset_id, number, due_date, amount, 'PENDING' FROM due JOIN added ON added.id = due.asset_id
     )
     SELECT ${creditState} FROM added a ${ofOperation}`,
    [
      ...[patrimonyId, originatorId, batchId, batchName, clock.now()],
      ...arraysOf(assets, 'id', 'faceValue', 'dueDate', 'type', 'purchasePrice', 'interestRate').map(plainArray),
      ...arraysOf(assets, 'externalId', 'debtorDocument'),
      assets.map(({ debtorName }) => debtorName ?? unknownDebtor),
      assets.map(({ externalId, debtorName, debtorDocument }) =>
        assetSearchText({ externalId, debtorName: debtorName ?? unknownDebtor, debtorDocument }),
      ),
      ...arraysOf(due, 'id', 'number', 'dueDate', 'amount').map(plainArray),
    ],
  );
}

/** State of an assigned credit and one of its instalments before the last payment of that instalment that is not reversed. Amounts in BRL. */
export interface BeforePayment {
  readonly paidAmount: string;
  readonly abatedAmount: string;
  readonly paidOn: string | null;
  readonly instalmentStatus: InstallmentRow['status'];
  readonly assetStatus: AssetStatus;
  /** The audit log entry of the operator who recorded the payment; null if a settlement batch contained it. */
  readonly act: string | null;
}

/** Finds the state of a credit before the last payment of an instalment that is not reversed: its newest version that owed more. Undefined if none was kept. */
export function findBeforePayment(
  { manager }: Context,
  asset: AssetRow,
  { installmentNumber, paidAmount }: InstallmentRow,
): Promise<BeforePayment | undefined> {
  return manager.row(
    `SELECT i.paid_amount AS "paidAmount", i.abated_amount AS "abatedAmount", i.paid_on::text AS "paidOn", i.status AS "instalmentStatus", a.status AS "assetStatus",
       (SELECT l.id FROM shared.audit_log l WHERE l.id = i.superseded_by) AS act
     FROM (SELECT * FROM tokenization.asset_installments_versions
           WHERE asset_id = $1 AND installment_number = $2 AND paid_amount < $3::numeric ORDER BY record_version DESC LIMIT 1) AS i,
       (SELECT * FROM tokenization.assets_versions
        WHERE id = $1 AND received - surplus + abated < $4::numeric ORDER BY record_version DESC LIMIT 1) AS a`,
    [asset.id, installmentNumber, paidAmount, sum([asset.received, asset.abated]).minus(asset.surplus).toFixed(2)],
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

export async function isAssigned({ manager }: Context, id: string): Promise<boolean> {
  const sql = 'SELECT true FROM tokenization.assets WHERE id = $1 AND originator_id IS NOT NULL';
  return (await manager.value<boolean>(sql, [id])) === true;
}

interface PieceKey {
  readonly batchId: string;
  readonly piece: number;
}

/** A change of the status of an asset, as it is announced. */
export type ToldMove = Readonly<Record<string, unknown>> & { readonly assetId: string };

/** The changes that the payments of a part caused, and the owner who receives them. */
export interface PieceMoves extends PieceKey {
  readonly ownerId: string | null;
  readonly moves: readonly ToldMove[];
}

/** Records that parts of settlement batches are applied to the assets; returns those that were not recorded before, each once and in order. */
export async function noteSettledPieces<P extends PieceKey & { readonly ownerId: string }>(
  { manager }: Context,
  pieces: readonly P[],
): Promise<P[]> {
  const noted = await manager.rows<PieceKey>(
    `INSERT INTO tokenization.settled_pieces (batch_id, piece, owner_id)
     SELECT DISTINCT ON (batch_id, piece) batch_id, piece, owner_id
     FROM unnest($1::uuid[], $2::integer[], $3::text[]) AS reported (batch_id, piece, owner_id) ORDER BY batch_id, piece
     ON CONFLICT DO NOTHING RETURNING batch_id AS "batchId", piece`,
    [pieces.map(({ batchId }) => batchId), pieces.map(({ piece }) => piece), pieces.map(({ ownerId }) => ownerId)],
  );
  const isNew = new Set(noted.map(nameOf));
  return pieces.filter((piece) => isNew.delete(nameOf(piece)));
}

/** Takes the changes of the first part of a batch that are not announced yet; undefined when all are. */
export async function takeMoves({ manager }: Context, batchId: string): Promise<PieceMoves | undefined> {
  const row = await manager.row<PieceMoves>(
    `SELECT batch_id AS "batchId", piece, owner_id AS "ownerId", moves FROM tokenization.settled_pieces
     WHERE batch_id = $1 AND moves IS NOT NULL ORDER BY piece LIMIT 1 FOR UPDATE`,
    [batchId],
  );
  if (row === undefined) return undefined;
  await manager.execute('UPDATE tokenization.settled_pieces SET moves = NULL WHERE batch_id = $1 AND piece = $2', [
    row.batchId,
    row.piece,
  ]);
  return row;
}

function nameOf({ batchId, piece }: PieceKey): string {
  return `${batchId} ${piece}`;
}

export interface ToldPayment {
  readonly receivableId: string;
  /** An abatement lowers what is owed, and is not received. */
  readonly kind: 'PAYMENT' | 'ABATEMENT';
  /** Received beyond what is owed, in BRL; below zero where it is returned. */
  readonly surplus: string;
  /** In BRL. */
  readonly settledAmount: string;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
}

export type ToldPiece = PieceKey & { readonly entries: readonly ToldPayment[] };

/**
 * Applies payments to the instalments of locked assets and updates balance, receipts, status and next due day by the rules of
 * `asset-payment.ts` and the table of `asset.ts`. Uses one statement for all payments, since a batch has up to 50,000 of them
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
    ...arraysOf(payments, 'receivableId', 'settledAmount', 'settledDate', 'part').map(plainArray),
    plainArray(payments.map(({ kind, settledAmount }) => (kind === 'ABATEMENT' ? settledAmount : '0'))),
    plainArray(payments.map(({ surplus }) => surplus)),
    ...arraysOf(pieces, 'batchId', 'piece'),
    JSON.stringify(assetTransitions),
    today,
    clock.now(),
  ]);
}

/** Formats a PostgreSQL array of values whose form is already validated; pg would scan each of thousands for characters to escape. */
function plainArray(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

// Joins the lists only with tables by key, never with each other, and reads instalments per asset: the planner knows neither the length of
// a list nor how many rows of a new table are pending.
const payText = `
  WITH reported AS (
    SELECT asset_id, part, paid_on, place, abated, surplus, sum(amount) OVER (PARTITION BY asset_id ORDER BY place) AS reached
    FROM unnest($1::uuid[], $2::numeric[], $3::date[], $4::integer[], $5::numeric[], $6::numeric[])
      WITH ORDINALITY AS reported (asset_id, amount, paid_on, part, abated, surplus, place)
  ), total AS (
    SELECT asset_id, max(reached) AS amount, min(part) AS part, array_agg(reached ORDER BY place) AS reached,
      array_agg(paid_on ORDER BY place) AS days, array_agg(abated ORDER BY place) AS abatements, sum(surplus) AS surplus
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
       WHERE payment.reached > through OR (payment.reached = through AND open > 0) ORDER BY place LIMIT 1) AS paid_on,
      -- Each abatement ends at what is reached with it; of what is taken here, so much is abated.
      (SELECT sum(greatest(least(entry.reached, through) - greatest(entry.reached - entry.abated, through - open), 0))
       FROM unnest(pending.reached, abatements) AS entry (reached, abated) WHERE entry.abated > 0) AS abated
    FROM pending
  ), instalments AS (
    UPDATE tokenization.asset_installments AS i SET
      paid_amount = CASE WHEN paid.paid_on IS NULL THEN i.paid_amount + taken ELSE greatest(i.paid_amount, i.amount) END,
      abated_amount = i.abated_amount + coalesce(paid.abated, 0), paid_on = paid.paid_on, status = CASE WHEN paid.paid_on IS NULL THEN 'PENDING' ELSE 'PAID' END
    FROM paid WHERE i.asset_id = paid.asset_id AND i.installment_number = paid.installment_number
      AND (taken > 0 OR paid.paid_on IS NOT NULL)
  ), owed AS (
    -- A surplus is received also where nothing is pending.
    SELECT total.asset_id, total.part, total.surplus, coalesce(sum(open), 0) AS before, coalesce(sum(open - taken), 0) AS after,
      coalesce(sum(paid.abated), 0) AS abated, count(paid.asset_id)::integer AS pending,
      count(paid.asset_id) FILTER (WHERE paid_on IS NULL)::integer AS still, min(due_date) FILTER (WHERE paid_on IS NULL) AS next_due
    FROM total LEFT JOIN paid ON paid.asset_id = total.asset_id GROUP BY total.asset_id, total.part, total.surplus
    HAVING count(paid.asset_id) > 0 OR total.surplus <> 0
  ), moved AS (
    UPDATE tokenization.assets AS asset SET
      -- In the proportion in which what is owed falls; with decimals enough that the division rounds nothing that shows.
      current_balance = CASE WHEN still = 0 THEN 0 WHEN owed.before = 0 THEN asset.current_balance
        ELSE round((owed.after * asset.current_balance)::numeric(100, 40) / owed.before, 2) END,
      received = asset.received + owed.before - owed.after - owed.abated + owed.surplus,
      surplus = asset.surplus + owed.surplus, abated = asset.abated + owed.abated,
      paid_installments = CASE WHEN still = 0 THEN asset.installments
        ELSE least(asset.paid_installments + owed.pending - still, asset.installments) END,
      next_due_date = owed.next_due,
      status = coalesce($9::jsonb -> asset.status ->> CASE WHEN still = 0 THEN 'PAID_IN_FULL'
        WHEN ${inDefault('owed.next_due', '$10')} THEN 'BECAME_LATE' ELSE 'CURED' END, asset.status),
      updated_at = $11
    FROM owed JOIN tokenization.assets AS old ON old.id = owed.asset_id WHERE asset.id = owed.asset_id
    RETURNING asset.id, asset.batch_id, asset.external_id, asset.patrimony_id, old.status AS previous_status, asset.status,
      asset.current_balance, owed.part
  )
  UPDATE tokenization.settled_pieces AS settled SET moves = changes.moves
  FROM (SELECT part, jsonb_agg(jsonb_build_object('assetId', id, 'contractId', id, 'batchId', batch_id, 'externalId', external_id, 'patrimonyId', patrimony_id,
          'previousStatus', previous_status, 'status', status, 'currentBalance', current_balance::text)) AS moves
        FROM moved WHERE status <> previous_status GROUP BY part) AS changes
  WHERE settled.batch_id = ($7::uuid[])[part] AND settled.piece = ($8::integer[])[part]`;

/** An assigned credit as issuances gets it: amounts in BRL, days `YYYY-MM-DD`. */
export interface CreditState {
  readonly id: string;
  readonly patrimonyId: string;
  readonly status: AssetStatus;
  readonly type: string;
  readonly debtorName: string;
  readonly debtorDocument: string;
  readonly originalValue: string;
  readonly balance: string;
  readonly rate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly assignedOn: string;
  readonly nextDueDate: string | null;
  readonly finalDueDate: string;
}

// Over an asset `a`.
const creditState = `a.id, a.patrimony_id AS "patrimonyId", a.status, a.type, a.debtor_name AS "debtorName", a.debtor_document AS "debtorDocument",
  a.original_value AS "originalValue", a.current_balance AS balance, a.interest_rate AS rate, a.installments,
  a.paid_installments AS "paidInstallments", (a.created_at AT TIME ZONE 'America/Sao_Paulo')::date::text AS "assignedOn",
  a.next_due_date::text AS "nextDueDate", a.final_due_date::text AS "finalDueDate"`;
const ofOperation = 'JOIN tokenization.patrimonies p ON p.id = a.patrimony_id AND p.operation_ticker IS NOT NULL';

/** Returns the credits, of those named, that originators assigned to estates of operations. */
export function readCredits({ manager }: Context, ids: readonly string[]): Promise<CreditState[]> {
  return manager.rows(
    `SELECT ${creditState} FROM tokenization.assets a ${ofOperation}
     WHERE a.id = ANY ($1::uuid[]) AND a.originator_id IS NOT NULL ORDER BY a.patrimony_id, a.id`,
    [ids],
  );
}

/** Locks the assigned credits of an estate with the lowest ids after a given one, and returns their ids. */
export function lockAssignedOf(
  { manager }: Context,
  patrimonyId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  return manager.values(
    `SELECT id FROM tokenization.assets WHERE patrimony_id = $1 AND originator_id IS NOT NULL AND ($2::uuid IS NULL OR id > $2)
     ORDER BY id LIMIT $3 FOR NO KEY UPDATE`,
    [patrimonyId, after, limit],
  );
}
