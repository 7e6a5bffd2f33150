import type { Context } from '../../../shared/kernel/context.js';
import { lineLoader } from '../batches/batch.store.js';
import { conditionsOf, type Conditions } from '../../../shared/database/conditions.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import type { BatchStatus } from '../batches/transitions.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
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
  readonly debtorUf: string | null;
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
  receivable.debtor_name AS "debtorName", receivable.debtor_uf AS "debtorUf", receivable.purchase_price AS "purchasePrice", receivable.base_date::text AS "baseDate",
  trim_scale(receivable.interest_rate) AS "interestRate", receivable.day_count AS "dayCount", receivable.installments,
  receivable.coobligation, receivable.assignor_document AS "assignorDocument", receivable.invoice_key AS "invoiceKey", receivable.type`;

/** SQL of the day of which the price of a contract is. */
export const pricedOn = `coalesce(receivable.base_date, (batch.created_at AT TIME ZONE 'America/Sao_Paulo')::date)`;

/** A contract of a batch as it is stored. Money is in BRL with 2 decimals. */
export interface ReceivableRow extends StoredTerms {
  readonly id: string;
  readonly batchId: string;
  readonly batchNumber: number;
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
  /** Amount received for it, with the surplus; the rest of the decrease is abated. Null if it was not assigned. */
  readonly received: string | null;
  readonly surplus: string | null;
  readonly abated: string | null;
  readonly settledAt: Date | null;
  /** When an operator wrote its asset off. */
  readonly writtenOffAt: Date | null;
  /** Errors found when its batch was processed; null if there were none. */
  readonly refusal: readonly RefusalError[] | null;
}

/** SQL of what is owed to the estate; rows and totals use the same, so that they add up. */
const openBalance = `CASE WHEN receivable.status IN ('OPEN', 'SETTLED') AND receivable.written_off_at IS NULL THEN receivable.open_balance END`;

const isAssigned = `receivable.status IN ('OPEN', 'SETTLED')`;
/** SQL of what came in for a receivable, from a batch or by an operator. */
const received = 'receivable.amount_due - receivable.open_balance - receivable.abated + receivable.surplus';

const columns = `receivable.id, receivable.batch_id AS "batchId", batch.number AS "batchNumber", batch.status AS "batchStatus", receivable.position,
  receivable.external_id AS "externalId", receivable.debtor_document AS "debtorDocument",
  ${termColumns}, ${pricedOn}::text AS "pricedOn", receivable.status, receivable.next_due_date::text AS "nextDueDate", ${openBalance} AS "openBalance",
  CASE WHEN ${isAssigned} THEN ${received} END AS received, CASE WHEN ${isAssigned} THEN receivable.surplus END AS surplus,
  CASE WHEN ${isAssigned} THEN receivable.abated END AS abated, receivable.settled_at AS "settledAt", receivable.written_off_at AS "writtenOffAt",
  receivable.refusal`;

const tables = `credit_assignment.receivables AS receivable
  JOIN credit_assignment.credit_batches AS batch ON batch.id = receivable.batch_id`;

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

/** Lists receivables of the newest batch first, each batch in its own order; batches are read one after the other until the page is full. */
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
       SELECT id, number, status, created_at FROM credit_assignment.credit_batches AS batch WHERE ${outer.text()} ORDER BY id ${batches.direction}
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

/** Returns the conditions on a contract; their values are placed among the values of the batch's conditions. */
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
const idsPerStatement = 5_000;

/** @param position of the first contract */
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
         (id, batch_id, position, external_id, debtor_document, face_value, due_date, debtor_name, debtor_uf, purchase_price, base_date,
          interest_rate, day_count, installments, coobligation, assignor_document, invoice_key, type, status, amount_due, open_balance)
       SELECT id, $1, $2::integer + ordinality - 1, external_id, debtor_document, face_value, due_date, debtor_name, debtor_uf, purchase_price,
         base_date, interest_rate, day_count, installments::jsonb, coobligation, assignor_document, invoice_key, coalesce(type, 'CCB'),
         'PENDING', amount_due, amount_due
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::date[], $8::text[], $9::text[], $10::numeric[], $11::date[],
           $12::numeric[], $13::text[], $14::boolean[], $15::text[], $16::text[], $17::text[], $18::text[], $19::numeric[])
         WITH ORDINALITY AS contract (id, external_id, debtor_document, face_value, due_date, debtor_name, debtor_uf, purchase_price, base_date,
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
          'debtorUf',
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
  const columns = `external_id, debtor_document, face_value, due_date, debtor_name, debtor_uf, purchase_price, base_date, interest_rate,
    day_count, installments, coobligation, assignor_document, invoice_key, type, amount_due`;
  await manager.execute(
    `INSERT INTO credit_assignment.receivables (id, batch_id, position, ${columns}, status, open_balance)
     SELECT fresh.id, $2, place - 1, ${columns}, 'PENDING', amount_due
     FROM (SELECT *, row_number() OVER (ORDER BY position) AS place
           FROM credit_assignment.receivables WHERE batch_id = $1 AND refusal IS NULL) AS sound
       JOIN unnest($3::uuid[]) WITH ORDINALITY AS fresh (id, place) USING (place)`,
    [from.id, to.id, Array.from({ length: to.lineCount }, () => newId(nowMs))],
  );
}
