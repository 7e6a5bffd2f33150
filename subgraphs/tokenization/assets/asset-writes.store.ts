import { inDefault } from './asset-transitions.js';
import { arraysOf } from '../../../shared/arrays-of.js';
import type { Context } from '../../../shared/context.js';
import { requireFound } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
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

/** Puts credits in default that have an unpaid instalment that is too late today, at most `limit`, and returns them. */
export function putInDefault(context: Context, today: string, limit: number): Promise<MovedAsset[]> {
  const candidates = `WITH ${allLate} SELECT a.id FROM late JOIN tokenization.assets a ON a.id = late.asset_id
    WHERE a.status = 'ACTIVE' LIMIT $2 FOR NO KEY UPDATE OF a SKIP LOCKED`;
  return move(context, candidates, { where: `a.status = 'ACTIVE' AND ${isLate}`, to: 'DEFAULTED', today, limit });
}

/** Puts credits in default that no longer have such an instalment back in force, at most `limit`, and returns them. */
export function takeOutOfDefault(context: Context, today: string, limit: number): Promise<MovedAsset[]> {
  const candidates = `WITH ${allLate} SELECT a.id FROM tokenization.assets a
    WHERE a.status = 'DEFAULTED' AND NOT EXISTS (SELECT FROM late WHERE late.asset_id = a.id) AND ${isOpen}
    LIMIT $2 FOR NO KEY UPDATE OF a SKIP LOCKED`;
  const where = `a.status = 'DEFAULTED' AND NOT ${isLate} AND ${isOpen}`;
  return move(context, candidates, { where, to: 'ACTIVE', today, limit });
}

interface Move {
  /** SQL condition on the credit `a`. */
  readonly where: string;
  readonly to: AssetStatus;
  readonly today: string;
  readonly limit: number;
}

/**
 * Locks the candidates and decides in a separate statement, which sees payments committed between the search for late
 * instalments and the lock. Must run in a transaction.
 */
async function move(
  { manager, clock }: Context,
  candidates: string,
  { where, to, today, limit }: Move,
): Promise<MovedAsset[]> {
  const locked = await manager.rows<{ id: string }>(candidates, [today, limit]);
  return manager.rows(
    `UPDATE tokenization.assets a SET status = $3, updated_at = $4 WHERE a.id = ANY($2::uuid[]) AND ${where}
     RETURNING a.id, a.batch_id AS "batchId", a.external_id AS "externalId", a.debtor_document AS "debtorDocument", a.patrimony_id AS "patrimonyId",
       a.current_balance AS "currentBalance"`,
    [today, locked.map(({ id }) => id), to, clock.now()],
  );
}
