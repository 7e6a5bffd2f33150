import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { actsBehind } from '../common/acts-behind.js';
import { AssetRow } from './asset.entity.js';
import type { AssetStatus } from './asset.js';

/**
 * Locks a credit until the transaction ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockAsset({ manager }: Context, id: string): Promise<Readonly<AssetRow>> {
  const [row]: Readonly<AssetRow>[] = await manager.query(
    `SELECT ${columnsOf(manager, AssetRow)} FROM tokenization.assets WHERE id = $1 FOR NO KEY UPDATE`,
    [isUuid(id) ? id : null],
  );
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such asset' });
  return row;
}

/** Locks credits until the transaction ends, in one order for everyone, and answers how many of them there are. */
export async function lockAssets({ manager }: Context, ids: readonly string[]): Promise<number> {
  const [row]: { count: number }[] = await manager.query(
    `SELECT count(*)::integer AS count FROM (SELECT FROM tokenization.assets WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE) AS locked`,
    [ids],
  );
  return row?.count ?? 0;
}

/** An instalment of a credit. Amounts in BRL. */
export interface AssetInstalment {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly dueDate: string;
  readonly amount: string;
  readonly paidAmount: string;
  readonly paidOn: string | null;
  readonly status: 'PENDING' | 'PAID';
}

/** The instalments of a credit, the first due first; the lock of the credit keeps them as they are. */
export function readInstalments(context: Context, assetId: string): Promise<AssetInstalment[]> {
  return readInstalmentsOf(context, [assetId]);
}

/** The instalments of some credits, in one list, those of each with the first due first. */
export function readInstalmentsOf({ manager }: Context, assetIds: readonly string[]): Promise<AssetInstalment[]> {
  return manager.query(
    `SELECT asset_id AS "assetId", installment_number AS "installmentNumber", due_date::text AS "dueDate", amount,
       paid_amount AS "paidAmount", paid_on::text AS "paidOn", status
     FROM tokenization.asset_installments WHERE asset_id = ANY ($1) ORDER BY asset_id, due_date, installment_number`,
    [assetIds],
  );
}

/** The act that paid an instalment, also where it was withdrawn since and is back: an entry of the audit log. Undefined where it was no operator's, or none was kept. */
export async function findAssetPaymentAct(
  { manager }: Context,
  assetId: string,
  installmentNumber: number,
): Promise<string | undefined> {
  const [row]: { act: string }[] = await manager.query(
    `${actsBehind('tokenization.asset_installments', 'asset_id = $1 AND installment_number = $2')}
     SELECT act FROM behind JOIN shared.audit_log a ON a.id = act WHERE a.action = 'recordAssetPayment'`,
    [assetId, installmentNumber],
  );
  return row?.act;
}

/** Stores what was paid of instalments, in one statement. */
export async function saveInstalments({ manager }: Context, instalments: readonly AssetInstalment[]): Promise<void> {
  await manager.query(
    `UPDATE tokenization.asset_installments i SET paid_amount = p.paid_amount, paid_on = p.paid_on, status = p.status
     FROM unnest($1::uuid[], $2::integer[], $3::numeric[], $4::date[], $5::text[])
       AS p (asset_id, installment_number, paid_amount, paid_on, status)
     WHERE i.asset_id = p.asset_id AND i.installment_number = p.installment_number`,
    [
      instalments.map(({ assetId }) => assetId),
      instalments.map(({ installmentNumber }) => installmentNumber),
      instalments.map(({ paidAmount }) => paidAmount),
      instalments.map(({ paidOn }) => paidOn),
      instalments.map(({ status }) => status),
    ],
  );
}

/** Stores what an act changed of a credit. */
export async function saveAsset(context: Context, asset: Readonly<AssetRow>): Promise<void> {
  await saveAssets(context, [asset]);
}

/** Stores what an act changed of credits, in one statement. */
export async function saveAssets({ manager, clock }: Context, assets: readonly Readonly<AssetRow>[]): Promise<void> {
  await manager.query(
    `UPDATE tokenization.assets a SET status = p.status, current_balance = p.current_balance, received = p.received,
       paid_installments = p.paid_installments, next_due_date = p.next_due_date, updated_at = $7
     FROM unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::integer[], $6::date[])
       AS p (id, status, current_balance, received, paid_installments, next_due_date)
     WHERE a.id = p.id`,
    [
      assets.map(({ id }) => id),
      assets.map(({ status }) => status),
      assets.map(({ currentBalance }) => currentBalance),
      assets.map(({ received }) => received),
      assets.map(({ paidInstallments }) => paidInstallments),
      assets.map(({ nextDueDate }) => nextDueDate),
      clock.now(),
    ],
  );
}

/** What is told of a credit whose status changed. */
export interface MovedAsset {
  readonly id: string;
  readonly externalId: string;
  readonly patrimonyId: string;
  readonly currentBalance: string;
}

// What makes an instalment `i` late: it was due before $1, and is not paid.
const late = `i.status = 'PENDING' AND i.due_date < $1`;
// Whether the credit `a` has one that is late.
const isLate = `EXISTS (SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id AND ${late})`;
const isOpen = `EXISTS (SELECT FROM tokenization.asset_installments i WHERE i.asset_id = a.id AND i.status = 'PENDING')`;
// All that are late, read once, so that the plan never walks through every credit.
const allLate = `late AS MATERIALIZED (SELECT DISTINCT i.asset_id FROM tokenization.asset_installments i WHERE ${late})`;

/** Puts credits with an instalment due before a day that is not paid in default, at most `limit`, and answers them. */
export function putInDefault(context: Context, before: string, limit: number): Promise<MovedAsset[]> {
  const candidates = `WITH ${allLate} SELECT a.id FROM late JOIN tokenization.assets a ON a.id = late.asset_id
    WHERE a.status = 'ACTIVE' LIMIT $2 FOR NO KEY UPDATE OF a SKIP LOCKED`;
  return move(context, candidates, { where: `a.status = 'ACTIVE' AND ${isLate}`, to: 'DEFAULTED', before, limit });
}

/** Puts credits in default that have no such instalment any more back in force, at most `limit`, and answers them. */
export function takeOutOfDefault(context: Context, before: string, limit: number): Promise<MovedAsset[]> {
  const candidates = `WITH ${allLate} SELECT a.id FROM tokenization.assets a
    WHERE a.status = 'DEFAULTED' AND NOT EXISTS (SELECT FROM late WHERE late.asset_id = a.id) AND ${isOpen}
    LIMIT $2 FOR NO KEY UPDATE OF a SKIP LOCKED`;
  const where = `a.status = 'DEFAULTED' AND NOT ${isLate} AND ${isOpen}`;
  return move(context, candidates, { where, to: 'ACTIVE', before, limit });
}

interface Move {
  /** SQL of what must hold of the credit `a`. */
  readonly where: string;
  readonly to: AssetStatus;
  readonly before: string;
  readonly limit: number;
}

/**
 * Locks the candidates, and decides in a statement of its own: it sees a payment that was committed between the look at what is
 * late and the lock. Must run in a transaction.
 */
async function move(
  { manager, clock }: Context,
  candidates: string,
  { where, to, before, limit }: Move,
): Promise<MovedAsset[]> {
  const locked: { id: string }[] = await manager.query(candidates, [before, limit]);
  const [rows]: [MovedAsset[], number] = await manager.query(
    `UPDATE tokenization.assets a SET status = $3, updated_at = $4 WHERE a.id = ANY($2::uuid[]) AND ${where}
     RETURNING a.id, a.external_id AS "externalId", a.patrimony_id AS "patrimonyId", a.current_balance AS "currentBalance"`,
    [before, locked.map(({ id }) => id), to, clock.now()],
  );
  return rows;
}
