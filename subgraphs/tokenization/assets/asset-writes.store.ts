import { inDefault } from './asset-transitions.js';
import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { assetColumns, installmentColumns, type AssetRow, type InstallmentRow } from './asset.store.js';
import type { AssetStatus } from './asset.js';

/**
 * Locks a credit until the transaction ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockAsset({ manager }: Context, id: string): Promise<AssetRow> {
  const row = await manager.row<AssetRow>(
    `SELECT ${assetColumns} FROM tokenization.assets WHERE id = $1 FOR NO KEY UPDATE`,
    [isUuid(id) ? id : null],
  );
  return requireFound(row, 'There is no such asset');
}

/** Locks credits until the transaction ends, always in the same order, and returns how many of them exist. */
export function lockAssets({ manager }: Context, ids: readonly string[]): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM (SELECT FROM tokenization.assets WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [ids],
  );
}

/** Returns the instalments of a credit, earliest due first. The lock on the credit keeps them unchanged. */
export function readInstalments(context: Context, assetId: string): Promise<InstallmentRow[]> {
  return readInstalmentsOf(context, [assetId]);
}

/** Returns the instalments of several credits in one list; those of each credit come earliest due first. */
export function readInstalmentsOf({ manager }: Context, assetIds: readonly string[]): Promise<InstallmentRow[]> {
  return manager.rows(
    `SELECT ${installmentColumns} FROM tokenization.asset_installments WHERE asset_id = ANY ($1) ORDER BY asset_id, due_date, installment_number`,
    [assetIds],
  );
}

/** Stores the payments of instalments in one statement. */
export async function saveInstalments({ manager }: Context, instalments: readonly InstallmentRow[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.asset_installments i SET paid_amount = p.paid_amount, paid_on = p.paid_on, status = p.status
     FROM unnest($1::uuid[], $2::integer[], $3::numeric[], $4::date[], $5::text[])
       AS p (asset_id, installment_number, paid_amount, paid_on, status)
     WHERE i.asset_id = p.asset_id AND i.installment_number = p.installment_number`,
    [...arraysOf(instalments, 'assetId', 'installmentNumber', 'paidAmount', 'paidOn', 'status')],
  );
}

/** Stores what changed in a credit. */
export async function saveAsset(context: Context, asset: AssetRow): Promise<void> {
  await saveAssets(context, [asset]);
}

/** Stores what changed in several credits, in one statement. */
export async function saveAssets({ manager, clock }: Context, assets: readonly AssetRow[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.assets a SET status = p.status, current_balance = p.current_balance, received = p.received,
       paid_installments = p.paid_installments, next_due_date = p.next_due_date, updated_at = $7
     FROM unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::integer[], $6::date[])
       AS p (id, status, current_balance, received, paid_installments, next_due_date)
     WHERE a.id = p.id`,
    [...arraysOf(assets, 'id', 'status', 'currentBalance', 'received', 'paidInstallments', 'nextDueDate'), clock.now()],
  );
}

/** The fields of an event about a credit whose status changed. */
export interface MovedAsset {
  readonly id: string;
  readonly batchId: string | null;
  readonly externalId: string;
  readonly debtorDocument: string;
  readonly patrimonyId: string;
  readonly currentBalance: string;
}

// SQL: the instalment `i` puts its credit in default on the day $1.
const late = `i.status = 'PENDING' AND ${inDefault('i.due_date', '$1')}`;
// SQL: the credit `a` has a late instalment.
const isLate = `EXISTS (SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id AND ${late})`;
const isOpen = `EXISTS (SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id AND i.status = 'PENDING')`;
// Reads all late instalments once, so that the plan never walks through every credit.
const allLate = `late AS MATERIALIZED (SELECT DISTINCT i.asset_id FROM tokenization.asset_installments i WHERE ${late})`;

/** A change of status that the day brings. All SQL is about the credit `a`. */
export interface DueMove {
  readonly from: AssetStatus;
  readonly to: AssetStatus;
  /** The conditions on candidates, whose late instalments `late` lists, and on a locked credit. */
  readonly candidates: string;
  readonly where: string;
}

/** Puts credits in default that have an unpaid instalment that is too late today. */
export const intoDefault: DueMove = {
  from: 'ACTIVE',
  to: 'DEFAULTED',
  candidates: 'FROM late JOIN tokenization.assets a ON a.id = late.asset_id WHERE true',
  where: isLate,
};

/** Puts credits in default that no longer have such an instalment back in force. */
export const outOfDefault: DueMove = {
  from: 'DEFAULTED',
  to: 'ACTIVE',
  candidates: `FROM tokenization.assets a WHERE NOT EXISTS (SELECT FROM late WHERE late.asset_id = a.id) AND ${isOpen}`,
  where: `NOT ${isLate} AND ${isOpen}`,
};

/** Returns the ids of credits that a move is due for, at most `most`: all late instalments are read for it, once for many batches. */
export function findDue({ manager }: Context, move: DueMove, today: string, most: number): Promise<string[]> {
  return manager.values(`WITH ${allLate} SELECT a.id ${move.candidates} AND a.status = $2 LIMIT $3`, [
    today,
    move.from,
    most,
  ]);
}

/**
 * Moves credits that a move is still due for, and returns them. Locks them and decides in a separate statement, which sees payments committed before the
 * lock. Must run in a transaction; those that others have locked are left out.
 */
export async function moveDue(
  { manager, clock }: Context,
  { from, to, where }: DueMove,
  today: string,
  ids: readonly string[],
): Promise<MovedAsset[]> {
  const locked = await manager.values<string>(
    `SELECT id FROM tokenization.assets WHERE id = ANY ($1::uuid[]) AND status = $2 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    [ids, from],
  );
  return manager.rows(
    `UPDATE tokenization.assets a SET status = $3, updated_at = $4
     WHERE a.id = ANY($2::uuid[]) AND a.status = $5 AND ${where}
     RETURNING a.id, a.batch_id AS "batchId", a.external_id AS "externalId", a.debtor_document AS "debtorDocument", a.patrimony_id AS "patrimonyId",
       a.current_balance AS "currentBalance"`,
    [today, locked, to, clock.now(), from],
  );
}
