import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { announceBatches } from '../batches/batch-event.js';
import { listOwnedBatches, lineLoader } from '../batches/batch.store.js';
import { pieceSize } from '../processing/process-batch.js';
import { isReceipt, type SettlementKind } from '../settlement-batches/check-settlements.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { isDecided, type SettledEntry } from '../settlement-batches/settlement.store.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import type { BatchStatus } from '../batches/transitions.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { RefusalError } from '../eligibility/findings.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { amountDue, type Installment, type NewContract } from '../credit-batches/check-contracts.js';
import type { AssetType } from '../../securities/asset-type.js';
import type { DayCount } from '../../securities/day-count.js';

/** Statuses of a receivable (docs/contract/credit-assignment.md §3.3). */
export type ReceivableStatus = 'PENDING' | 'REFUSED' | 'OPEN' | 'SETTLED';

/** The terms of a contract as they are stored; null where the contract does not state them. */
export interface StoredTerms {
  readonly faceValue: string;
  readonly dueDate: string;
  /** Unmasked, like the document. */
  readonly debtorName: string | null;
  readonly purchasePrice: string | null;
  readonly baseDate: string | null;
  readonly interestRate: string | null;
  readonly dayCount: DayCount | null;
  readonly installments: readonly Installment[] | null;
  readonly coobligation: boolean | null;
  readonly assignorDocument: string | null;
  readonly invoiceKey: string | null;
  readonly type: AssetType;
}

/** SQL of `StoredTerms`, from the rows `receivable`. */
export const termColumns = `receivable.face_value AS "faceValue", receivable.due_date::text AS "dueDate",
  receivable.debtor_name AS "debtorName", receivable.purchase_price AS "purchasePrice", receivable.base_date::text AS "baseDate",
  trim_scale(receivable.interest_rate) AS "interestRate", receivable.day_count AS "dayCount", receivable.installments,
  receivable.coobligation, receivable.assignor_document AS "assignorDocument", receivable.invoice_key AS "invoiceKey", receivable.type`;

/** SQL of the day of which the price of a contract is. */
export const pricedOn = `coalesce(receivable.base_date, (batch.created_at AT TIME ZONE 'America/Sao_Paulo')::date)`;

/** A contract of a batch as it is stored. Money is in BRL with 2 decimals. */
export interface ReceivableRow extends StoredTerms {
  readonly id: string;
  readonly batchId: string;
  readonly batchStatus: BatchStatus;
  /** Its place in the batch, from 0. */
  readonly position: number;
  readonly externalId: string;
  /** Unmasked: `toReceivable` decides who may see it. */
  readonly debtorDocument: string;
  /** The base date of its price, or else the day on which its batch was created. */
  readonly pricedOn: string;
  readonly status: ReceivableStatus;
  /** Due date of the earliest unpaid instalment, or of the last one where nothing is open. */
  readonly nextDueDate: string;
  /** Null while nothing of it is owed to the estate: it was not assigned, or was written off. */
  readonly openBalance: string | null;
  /** What came in for it, with the surplus; the rest of what fell is abated. Null where it was not assigned. */
  readonly received: string | null;
  readonly surplus: string | null;
  readonly abated: string | null;
  readonly settledAt: Date | null;
  /** When an operator wrote its asset off. */
  readonly writtenOffAt: Date | null;
  /** What was wrong with it when its batch was processed; null where nothing was. */
  readonly refusal: readonly RefusalError[] | null;
}

/** SQL of what is owed to the estate; rows and totals use the same, so that they add up. */
const openBalance = `CASE WHEN receivable.status IN ('OPEN', 'SETTLED') AND receivable.written_off_at IS NULL THEN receivable.open_balance END`;

const isAssigned = `receivable.status IN ('OPEN', 'SETTLED')`;
/** SQL of what came in for a receivable, from a batch or by an operator. */
const received = 'receivable.amount_due - receivable.open_balance - receivable.abated + receivable.surplus';

const columns = `receivable.id, receivable.batch_id AS "batchId", batch.status AS "batchStatus", receivable.position,
  receivable.external_id AS "externalId", receivable.debtor_document AS "debtorDocument",
  ${termColumns}, ${pricedOn}::text AS "pricedOn", receivable.status, receivable.next_due_date::text AS "nextDueDate", ${openBalance} AS "openBalance",
  CASE WHEN ${isAssigned} THEN ${received} END AS received, CASE WHEN ${isAssigned} THEN receivable.surplus END AS surplus,
  CASE WHEN ${isAssigned} THEN receivable.abated END AS abated, receivable.settled_at AS "settledAt", receivable.written_off_at AS "writtenOffAt",
  receivable.refusal`;

const tables = `credit_assignment.receivables AS receivable
  JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id`;

/** Loads contracts of each given batch, in the order of the keys. */
export const receivablesAt = lineLoader<ReceivableRow>(columns, tables, 'receivable');

/** Lists the contracts of the given originators that have a name, in any batch, newest first. */
export function listNamedReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
  page: PageRange,
): Promise<ReceivableRow[]> {
  const { beyond, direction } = keyset('DESC', page);
  return manager.rows(
    `SELECT ${columns} FROM ${tables}
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])
       AND ($3::uuid IS NULL OR receivable.id ${beyond} $3)
     ORDER BY receivable.id ${direction} LIMIT $4`,
    [externalId, originatorIds, page.after ?? null, page.limit + 1],
  );
}

/** Counts the contracts of the given originators that have a name. */
export async function countNamed(
  { manager }: Context,
  originatorIds: readonly string[],
  externalId: string,
): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::float8 FROM ${tables}
     WHERE receivable.external_id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [externalId, originatorIds],
  );
}

/** Finds a contract of a batch of one of the given originators. */
export async function findReceivable(
  { manager }: Context,
  originatorIds: readonly string[],
  id: string,
): Promise<ReceivableRow | undefined> {
  return manager.row<ReceivableRow>(
    `SELECT ${columns} FROM ${tables}
     WHERE receivable.id = $1 AND batch.originator_id = ANY ($2::uuid[])`,
    [id, originatorIds],
  );
}

/** A payment that an operator reversed on the asset of a receivable. */
export interface PaymentReversal {
  /** Id of the reversal itself. */
  readonly id: string;
  /** Id of the event that announces it. */
  readonly eventId: string;
  readonly receivableId: string;
  readonly installmentNumber: number;
  /** The amount that is open again, in BRL, and what of it had been abated. */
  readonly amount: string;
  readonly abated: string;
  /** Day of what made the instalment whole; null where it was paid in part. */
  readonly paidOn: string | null;
  /** The payment, if an operator had recorded it; null if it came from a settlement batch. */
  readonly paymentId: string | null;
}

/**
 * Adds a reversed payment back to the open balance of its receivable, which is locked, and announces the batches of the reversed payments. A repeated
 * reversal changes nothing, and an operator's payment whose reversal arrives first is never subtracted.
 */
export async function takeReversal(context: Context, reversal: PaymentReversal): Promise<void> {
  if (!(await noteReversal(context, reversal))) return;
  const { receivableId, paymentId, amount } = reversal;
  const marked = paymentId === null ? await markSettlements(context, reversal) : undefined;
  if (paymentId !== null) await settleAgain(context, reversal);
  const opened = paymentId === null ? amount : await markOperatorPayment(context, reversal);
  if (opened === undefined) return;
  await context.manager.execute(
    `UPDATE credit_assignment.receivables
     SET open_balance = least(amount_due, open_balance + $2::numeric), status = 'OPEN', settled_at = NULL,
       surplus = surplus - $4::numeric, abated = abated - $5::numeric, discounted = discounted - $6::numeric,
       substituted = substituted - $7::numeric, repurchased = repurchased - $8::numeric, changed_at = $3
     WHERE id = $1 AND $2::numeric > 0`,
    [
      ...[receivableId, opened, context.clock.now(), marked?.surplus ?? '0', marked?.abated ?? '0'],
      ...[marked?.discounted ?? '0', marked?.substituted ?? '0', marked?.repurchased ?? '0'],
    ],
  );
}

/** Records a reversal; returns whether it is new. */
async function noteReversal({ manager, clock, log }: Context, reversal: PaymentReversal): Promise<boolean> {
  const { id, receivableId, amount, paymentId } = reversal;
  const noted = await manager.rows<unknown>(
    `INSERT INTO credit_assignment.payment_reversals (id, receivable_id, amount, payment_id, recorded_at)
     SELECT $1, id, $3::numeric, $4::uuid, $5 FROM credit_assignment.receivables WHERE id = $2
     ON CONFLICT DO NOTHING RETURNING 1`,
    [id, receivableId, amount, paymentId, clock.now()],
  );
  if (noted.length > 0) return true;
  const known = await manager.row<{ id: string }>(
    'SELECT id FROM credit_assignment.payment_reversals WHERE payment_id = $1 AND id <> $2',
    [paymentId, id],
  );
  if (known !== undefined) log.error({ reversal: id, before: known.id, paymentId }, 'A payment is reversed twice');
  return false;
}

/** Marks an operator's payment as reversed; returns the amount it had subtracted from the receivable, in BRL, or undefined if it does not exist. */
async function markOperatorPayment(
  { manager, clock }: Context,
  reversal: PaymentReversal,
): Promise<string | undefined> {
  const { receivableId, installmentNumber, paymentId, amount } = reversal;
  const rows = await manager.rows<{ opened: string }>(
    `UPDATE credit_assignment.operator_payments SET reversed_at = $4
     WHERE receivable_id = $1 AND installment_number = $2 AND reversed_at IS NULL AND payment_id = $3
     RETURNING least(taken, $5::numeric) AS opened`,
    [receivableId, installmentNumber, paymentId, clock.now(), amount],
  );
  return rows[0]?.opened;
}

/** SQL of the payments `settlement` that the receivable $1 includes: their batches are decided, and they are not reversed as a whole. */
const taken = `FROM credit_assignment.settlements AS settlement
  JOIN credit_assignment.settlement_batches AS batch ON batch.id = settlement.batch_id
  WHERE settlement.receivable_id = $1 AND NOT repeated AND reversed_amount < settled_amount
    AND ${isDecided}`;

/**
 * Announces to tokenization once more those payments of the originator that the receivable includes but that reached the asset between the operator's
 * payment and its reversal, when nothing was left to pay there: what they and the other payments of operators exceed the rest that the asset owed.
 * An operator pays all that an instalment owes: whatever of it is not part of that payment was in the asset before it. Of the rest, payments that had not reached the asset by the reversal arrive by themselves, since their piece is
 * still outstanding.
 */
async function settleAgain(
  context: Context,
  { id, eventId, receivableId, amount, paymentId }: PaymentReversal,
): Promise<void> {
  const lost = await context.manager.row<{ ownerId: string; settledDate: string; paid: string; abated: string }>(
    `WITH told AS (SELECT position FROM shared.outbox WHERE id = $3), taken AS (
       SELECT ${isReceipt} AS received, settled_amount - reversed_amount AS amount, settled_date, settlement.batch_id, settlement.position, batch.processed_at,
         settlement.position / ${pieceSize} AS piece,
         jsonb_build_object('batchId', settlement.batch_id, 'piece', settlement.position / ${pieceSize}) AS answer ${taken}
     ), reached AS (
       SELECT taken.*, sum(amount) OVER () AS total,
         sum(amount) OVER (ORDER BY processed_at DESC, batch_id DESC, position DESC) - amount AS newer
       FROM taken WHERE NOT EXISTS (SELECT FROM told, shared.outbox AS later
           WHERE later.position > told.position AND later.topic = 'assets.settled' AND later.payload @> taken.answer)
         AND (NOT EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = taken.batch_id AND waiting.piece = taken.piece)
           OR EXISTS (SELECT FROM told, shared.outbox AS before
             WHERE before.published_at IS NULL AND before.position < told.position AND before.topic = 'assets.settled'
               AND before.payload @> taken.answer)))
     SELECT coalesce(originator.account_id, originator.id::text) AS "ownerId", max(settled_date)::text AS "settledDate",
       (lost.amount - coalesce(sum(part) FILTER (WHERE NOT received), 0))::text AS paid,
       coalesce(sum(part) FILTER (WHERE NOT received), 0)::text AS abated
     FROM reached JOIN credit_assignment.receivables AS receivable ON receivable.id = $1
     JOIN credit_assignment.credit_batches AS credit ON credit.id = receivable.batch_id
     JOIN credit_assignment.originators AS originator ON originator.id = credit.originator_id
     CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) + reached.total - (receivable.amount_due - $2::numeric) AS amount
       FROM credit_assignment.operator_payments WHERE receivable_id = $1 AND reversed_at IS NULL AND payment_id <> $4) AS lost
     CROSS JOIN LATERAL (SELECT greatest(least(newer + reached.amount, lost.amount) - newer, 0) AS part) AS share
     WHERE lost.amount > 0 GROUP BY originator.id, lost.amount`,
    [receivableId, amount, eventId, paymentId],
  );
  if (lost === undefined) return;
  const { ownerId, settledDate, paid, abated } = lost;
  const entries = (
    [
      ['PAYMENT', paid],
      ['ABATEMENT', abated],
    ] as const
  ).flatMap(([kind, settledAmount]) =>
    new Decimal(settledAmount).isZero() ? [] : { receivableId, kind, settledAmount, surplus: '0', settledDate },
  );
  await announceAgain(context, { id, ownerId, entries });
}

/** Announces entries of a receivable to tokenization under the id of a reversal, as if they were a settlement batch. */
async function announceAgain(
  context: Context,
  { id, ...told }: { readonly id: string; readonly ownerId: string; readonly entries: readonly SettledEntry[] },
): Promise<void> {
  await announceAll(context, [
    { topic: 'receivables.settled', key: id, payload: { batchId: id, piece: 0, ...told }, internal: true },
    { topic: 'assets.moved', key: id, payload: { batchId: id }, internal: true },
  ]);
}

/**
 * Marks payments of settlement batches as reversed, those of the day first and then the newest, until they make up the amount, and abatements likewise, and announces their batches. With the
 * first part of a payment its surplus is returned. Returns the surplus and the abatements of the marked parts. Of a batch that is not PROCESSED
 * yet, only payments whose piece is confirmed are in the asset; a payment of exactly the amount takes precedence.
 */
async function markSettlements(
  context: Context,
  { id, receivableId, amount, abated, paidOn }: PaymentReversal,
): Promise<Readonly<Record<'surplus' | 'abated' | 'discounted' | 'substituted' | 'repurchased', string>>> {
  const reversedAt = context.clock.now();
  const marked = await context.manager.rows<{ batchId: string; part: string; kind: SettlementKind; surplus: string }>(
    `WITH taken AS (
       SELECT settlement.batch_id, position, settled_amount - reversed_amount AS standing,
         CASE WHEN reversed_at IS NULL THEN surplus ELSE 0 END AS surplus, CASE WHEN ${isReceipt} THEN $2::numeric - $4::numeric ELSE $4::numeric END AS wanted,
         sum(settled_amount - reversed_amount) OVER (PARTITION BY ${isReceipt} ORDER BY
           EXISTS (SELECT FROM credit_assignment.outstanding_pieces AS waiting
             WHERE waiting.batch_id = settlement.batch_id AND waiting.piece = settlement.position / ${pieceSize}),
           settled_date IS DISTINCT FROM $5::date, batch.status = 'PROCESSING' AND settled_amount = CASE WHEN ${isReceipt} THEN $2::numeric - $4::numeric ELSE $4::numeric END DESC,
           batch.status = 'PROCESSED' DESC, batch.processed_at DESC, batch_id DESC, position DESC) - (settled_amount - reversed_amount) AS newer ${taken})
     UPDATE credit_assignment.settlements AS settlement SET reversed_at = coalesce(settlement.reversed_at, $3),
       reversed_amount = settlement.reversed_amount + least(standing, wanted - newer) FROM taken
     WHERE settlement.batch_id = taken.batch_id AND settlement.position = taken.position AND taken.newer < wanted
     RETURNING settlement.batch_id AS "batchId", least(standing, wanted - newer) AS part, settlement.kind, taken.surplus`,
    [receivableId, amount, reversedAt, abated, paidOn],
  );
  const ids = [...new Set(marked.map(({ batchId }) => batchId))];
  const batches = await listOwnedBatches(context, settlementBatches, ids);
  await announceBatches(context, settlementBatches, 'PAYMENTS_REVERSED', batches, reversedAt);
  const surplus = sum(marked.map((line) => line.surplus));
  const [batch] = batches;
  if (batch !== undefined && !surplus.isZero()) {
    // The asset counts a surplus as received, and does not know of which payment it was.
    const returned = { kind: 'PAYMENT', settledAmount: '0', surplus: surplus.negated().toFixed(2) } as const;
    const entries = [{ receivableId, ...returned, settledDate: civilDate(reversedAt) }];
    await announceAgain(context, { id, ownerId: batch.ownerId, entries });
  }
  const of = (...kinds: SettlementKind[]) =>
    sum(marked.flatMap(({ kind, part }) => (kinds.includes(kind) ? part : []))).toFixed(2);
  return {
    surplus: surplus.toFixed(2),
    abated: of('ABATEMENT', 'DISCOUNT', 'SUBSTITUTION'),
    discounted: of('DISCOUNT'),
    substituted: of('SUBSTITUTION'),
    repurchased: of('REPURCHASE'),
  };
}

/** Filters for receivables; null does not narrow the list. */
export interface ReceivableQuery {
  readonly externalId: string | null;
  readonly status: ReceivableStatus | null;
  readonly patrimonyId: string | null;
  readonly dueFrom: string | null;
  readonly dueTo: string | null;
}

/** A place in the list: a batch, and a contract in it. */
export type ReceivablePlace = readonly [batchId: string, position: string];

/**
 * Lists contracts of the given originators, those of the newest batch first, and in the order of their batch. Batches are read one after the other until the
 * page is full.
 */
export function listReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  query: ReceivableQuery,
  { place, backward, limit }: Pick<PageRange, 'backward' | 'limit'> & { readonly place: ReceivablePlace | undefined },
): Promise<ReceivableRow[]> {
  const batches = keyset('DESC', { backward });
  const contracts = keyset('ASC', { backward });
  const outer = batchConditions(originatorIds, query);
  const inner = contractConditions(query, outer);
  if (place !== undefined) {
    const [batchId, position] = place;
    outer.where(batchId, (id) => `batch.id ${batches.beyond}= ${id}::uuid`);
    const [id, at] = [outer.place(batchId), outer.place(position)];
    inner.push(`(batch.id <> ${id}::uuid OR receivable.position ${contracts.beyond} ${at}::integer)`);
  }
  const size = outer.place(limit + 1);
  return manager.rows(
    `SELECT ${columns} FROM (
       SELECT id, status, created_at FROM credit_assignment.credit_batches AS batch WHERE ${outer.text()} ORDER BY id ${batches.direction}
     ) AS batch CROSS JOIN LATERAL (
       SELECT * FROM credit_assignment.receivables AS receivable WHERE ${inner.join(' AND ')}
       ORDER BY position ${contracts.direction} LIMIT ${size}
     ) AS receivable
     ORDER BY batch.id ${batches.direction}, receivable.position ${contracts.direction} LIMIT ${size}`,
    outer.values,
  );
}

/** Number of contracts, and the amounts of those that were assigned. */
export interface ReceivableTotalsRow {
  readonly count: number;
  readonly faceValue: string;
  readonly purchasePrice: string;
  readonly openBalance: string;
  readonly received: string;
  readonly surplus: string;
  readonly abated: string;
}

/** Sums up the contracts of the given originators that a query selects. */
export function sumReceivables(
  { manager }: Context,
  originatorIds: readonly string[],
  query: ReceivableQuery,
): Promise<ReceivableTotalsRow> {
  const outer = batchConditions(originatorIds, query);
  const inner = contractConditions(query, outer);
  return manager.one(
    `SELECT count(*)::float8 AS count,
       coalesce(sum(receivable.face_value) FILTER (WHERE ${isAssigned}), 0)::numeric(24, 2) AS "faceValue",
       coalesce(sum(receivable.purchase_price) FILTER (WHERE ${isAssigned}), 0)::numeric(24, 2) AS "purchasePrice",
       coalesce(sum(${openBalance}), 0)::numeric(24, 2) AS "openBalance",
       coalesce(sum(${received}) FILTER (WHERE ${isAssigned}), 0)::numeric(24, 2) AS received,
       coalesce(sum(receivable.surplus), 0)::numeric(24, 2) AS surplus, coalesce(sum(receivable.abated), 0)::numeric(24, 2) AS abated
     FROM credit_assignment.credit_batches AS batch JOIN credit_assignment.receivables AS receivable ON ${inner.join(' AND ')}
     WHERE ${outer.text()}`,
    outer.values,
  );
}

function batchConditions(originatorIds: readonly string[], { patrimonyId }: ReceivableQuery): Conditions {
  // The first parameter, also where the caller has no originator: an empty list of `where` would not restrict anything.
  const conditions = conditionsOf('batch.originator_id = ANY ($1::uuid[])');
  conditions.place(originatorIds);
  conditions.where(patrimonyId, (id) => `batch.patrimony_id = ${id}::uuid`);
  return conditions;
}

/** Returns the conditions on a contract; their values are placed among those of the batch. */
function contractConditions(
  { externalId, status, dueFrom, dueTo }: ReceivableQuery,
  { place }: Pick<Conditions, 'place'>,
): string[] {
  return [
    'receivable.batch_id = batch.id',
    ...(externalId === null ? [] : [`receivable.external_id = ${place(externalId)}`]),
    ...(status === null ? [] : [`receivable.status = ${place(status)}`]),
    ...(status === 'OPEN' ? ['receivable.written_off_at IS NULL'] : []),
    ...(dueFrom === null ? [] : [`receivable.next_due_date >= ${place(dueFrom)}::date`]),
    ...(dueTo === null ? [] : [`receivable.next_due_date <= ${place(dueTo)}::date`]),
  ];
}

/** Rows per statement: their ids and their text are built without yielding to the event loop. */
const rowsPerStatement = 1_000;
/** External ids per statement. */
const idsPerStatement = 5_000;

/**
 * Inserts contracts into a batch, in their order.
 * @param position position of the first contract
 */
export async function addReceivables(
  { manager, clock }: Context,
  batchId: string,
  position: number,
  contracts: readonly NewContract[],
): Promise<void> {
  const nowMs = clock.now().getTime();
  for (let start = 0; start < contracts.length; start += rowsPerStatement) {
    const piece = contracts.slice(start, start + rowsPerStatement);
    await manager.execute(
      `INSERT INTO credit_assignment.receivables
         (id, batch_id, position, external_id, debtor_document, face_value, due_date, debtor_name, purchase_price, base_date,
          interest_rate, day_count, installments, coobligation, assignor_document, invoice_key, type, status, amount_due, open_balance)
       SELECT id, $1, $2::integer + ordinality - 1, external_id, debtor_document, face_value, due_date, debtor_name, purchase_price,
         base_date, interest_rate, day_count, installments::jsonb, coobligation, assignor_document, invoice_key, coalesce(type, 'CCB'),
         'PENDING', amount_due, amount_due
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::date[], $8::text[], $9::numeric[], $10::date[], $11::numeric[],
           $12::text[], $13::boolean[], $14::text[], $15::text[], $16::text[], $17::text[], $18::numeric[])
         WITH ORDINALITY AS contract (id, external_id, debtor_document, face_value, due_date, debtor_name, purchase_price, base_date,
           interest_rate, day_count, coobligation, assignor_document, invoice_key, type, installments, amount_due, ordinality)`,
      [
        batchId,
        position + start,
        piece.map(() => newId(nowMs)),
        ...arraysOf(
          piece,
          'externalId',
          'debtorDocument',
          'faceValue',
          'dueDate',
          'debtorName',
          'purchasePrice',
          'baseDate',
        ),
        ...arraysOf(piece, 'interestRate', 'dayCount', 'coobligation', 'assignorDocument', 'invoiceKey', 'type'),
        piece.map(({ installments }) => (installments == null ? null : JSON.stringify(installments.map(withCents)))),
        piece.map(amountDue),
      ],
    );
  }
}

function withCents({ number, dueDate, principal, interest }: Installment): Installment {
  return { number, dueDate, principal: new Decimal(principal).toFixed(2), interest: new Decimal(interest).toFixed(2) };
}

/** Returns those of the given external ids that a batch has. */
export async function externalIdsIn(
  { manager }: Context,
  batchId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < externalIds.length; start += idsPerStatement) {
    const rows = await manager.rows<{ externalId: string }>(
      `SELECT external_id AS "externalId" FROM credit_assignment.receivables
       WHERE batch_id = $1 AND external_id = ANY ($2::text[])`,
      [batchId, externalIds.slice(start, start + idsPerStatement)],
    );
    for (const { externalId } of rows) found.push(externalId);
  }
  return found;
}

/** Removes all contracts of a batch that was never submitted. */
export async function removeReceivables({ manager }: Context, batchId: string): Promise<void> {
  await manager.execute('DELETE FROM credit_assignment.receivables WHERE batch_id = $1', [batchId]);
}

/** Removes a contract of a batch that was never submitted, and moves up those after it. Returns whether the batch had it. */
export async function removeReceivable({ manager }: Context, batchId: string, externalId: string): Promise<boolean> {
  const position = await manager.value<number>(
    'DELETE FROM credit_assignment.receivables WHERE batch_id = $1 AND external_id = $2 RETURNING position',
    [batchId, externalId],
  );
  if (position === undefined) return false;
  await manager.execute(
    'UPDATE credit_assignment.receivables SET position = position - 1 WHERE batch_id = $1 AND position > $2',
    [batchId, position],
  );
  return true;
}

/** Sums up the contracts of a batch that had no errors. */
export function soundTotals(
  { manager }: Context,
  batchId: string,
): Promise<Pick<CreditBatchRow, 'lineCount' | 'total' | 'totalPurchasePrice'>> {
  return manager.one(
    `SELECT count(*)::integer AS "lineCount", coalesce(sum(face_value), 0) AS total, sum(purchase_price) AS "totalPurchasePrice"
     FROM credit_assignment.receivables WHERE batch_id = $1 AND refusal IS NULL`,
    [batchId],
  );
}

/** Copies the contracts of a batch that had no errors into a new one, in their order. */
export async function copySound(
  { manager, clock }: Context,
  from: Pick<CreditBatchRow, 'id'>,
  to: Pick<CreditBatchRow, 'id' | 'lineCount'>,
): Promise<void> {
  const nowMs = clock.now().getTime();
  const columns = `external_id, debtor_document, face_value, due_date, debtor_name, purchase_price, base_date, interest_rate, day_count,
    installments, coobligation, assignor_document, invoice_key, type, amount_due`;
  await manager.execute(
    `INSERT INTO credit_assignment.receivables (id, batch_id, position, ${columns}, status, open_balance)
     SELECT fresh.id, $2, place - 1, ${columns}, 'PENDING', amount_due
     FROM (SELECT *, row_number() OVER (ORDER BY position) AS place
           FROM credit_assignment.receivables WHERE batch_id = $1 AND refusal IS NULL) AS sound
       JOIN unnest($3::uuid[]) WITH ORDINALITY AS fresh (id, place) USING (place)`,
    [from.id, to.id, Array.from({ length: to.lineCount }, () => newId(nowMs))],
  );
}
