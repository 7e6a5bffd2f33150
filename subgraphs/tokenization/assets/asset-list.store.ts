import type { Context } from '../../../shared/kernel/context.js';
import { assetColumns, type AssetRow, installmentColumns, type InstallmentRow } from './asset.store.js';
import { keyset } from '../../../shared/graphql/list-page.js';
import {
  afterAll,
  beforeAll,
  partsOf,
  placeOf,
  type AssetPlace,
  type AssetPlaces,
  type AssetQuery,
} from './asset-list.js';
import { type AssetStatus, inDefault } from './asset.js';
import type { AssetType } from '../../securities/asset-type.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';

/** The assets of one status and type: a contiguous part of the index, in list order. */
export interface AssetRun {
  readonly status: AssetStatus;
  readonly type: AssetType;
  readonly count: number;
}

/** Returns the runs that a query covers, ignoring its words, with the number of assets in each; empty runs are left out. */
export function runsOf(context: Context, { patrimonyId, status, type }: AssetQuery): Promise<AssetRun[]> {
  return context.manager.rows<AssetRun>(
    `SELECT status, type, sum(count)::float8 AS count FROM tokenization.asset_totals
     WHERE ($1::uuid IS NULL OR patrimony_id = $1) AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR type = $3)
     GROUP BY status, type HAVING sum(count) > 0`,
    [patrimonyId, status, type],
  );
}

/** Returns the places of a list without words. Reads as many index entries as there are places before the requested ones. */
export async function placesAt(
  context: Context,
  { patrimonyId, status, type }: AssetQuery,
  runs: readonly AssetRun[],
  { after, backward = false, offset, limit }: AssetPlaces,
): Promise<AssetPlace[]> {
  const everything = patrimonyId === null && status === null && type === null;
  const { registration, id } = partsOf(after ?? (backward ? afterAll : beforeAll));
  const order = keyset('ASC', { backward });
  const places = [registration, id, offset, limit];
  const rows = await context.manager.rows<{ registration: string; id: string }>(
    everything
      ? `SELECT registration, id FROM tokenization.assets WHERE (registration, id) ${order.beyond} ($1, $2)
         ORDER BY registration ${order.direction}, id ${order.direction} OFFSET $3 LIMIT $4`
      : merged(runs.length, patrimonyId !== null, order),
    everything
      ? places
      : [...places, ...runs.flatMap((run) => [run.status, run.type]), ...(patrimonyId === null ? [] : [patrimonyId])],
  );
  return rows.map(placeOf);
}

/** SQL that merges sorted runs of an index: nothing is sorted, and nothing beyond the requested places is read. */
function merged(runs: number, ofPatrimony: boolean, { beyond, direction }: ReturnType<typeof keyset>): string {
  const first = 5;
  const patrimony = ofPatrimony ? `patrimony_id = $${String(first + 2 * runs)} AND ` : '';
  const branches = Array.from({ length: runs }, (_, index) => {
    const [status, type] = [`$${String(first + 2 * index)}`, `$${String(first + 2 * index + 1)}`];
    return `(SELECT registration, id FROM tokenization.assets
      WHERE ${patrimony}status = ${status} AND type = ${type} AND (registration, id) ${beyond} ($1, $2)
      ORDER BY registration ${direction}, id ${direction} LIMIT $3::bigint + $4::bigint)`;
  });
  return `SELECT registration, id FROM (${branches.join(' UNION ALL ')}) AS place
    ORDER BY registration ${direction}, id ${direction} OFFSET $3 LIMIT $4`;
}

/** Returns assets in the order of the list. @param areFew whether all that are found may be read; otherwise no more of the list is read than up to the last place */
export async function foundAt(
  context: Context,
  { words, patrimonyId, status, type }: AssetQuery,
  { after, backward = false, offset, limit }: AssetPlaces,
  areFew: boolean,
): Promise<AssetPlace[]> {
  const { registration, id } = partsOf(after ?? (backward ? afterAll : beforeAll));
  const { beyond, direction } = keyset('ASC', { backward });
  const rest = [patrimonyId, status, type, registration, id];
  // A function reads tables in their current state; a statement can read them as of an earlier moment.
  const rows = await (context.asOf === undefined
    ? context.manager.rows<Place>(
        'SELECT registration, id FROM tokenization.search_assets($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
        [words, ...rest, backward, areFew, offset, limit],
      )
    : context.manager.rows<Place>(
        `SELECT registration, id FROM tokenization.assets WHERE ${matchingThen} AND (registration, id) ${beyond} ($5, $6)
         ORDER BY registration ${direction}, id ${direction} OFFSET $7 LIMIT $8`,
        [patternsOf(words), ...rest, offset, limit],
      ));
  return rows.map(placeOf);
}

interface Place {
  readonly registration: string;
  readonly id: string;
}

/** Returns the places of what a query with words finds at present, in no order, at most `most`. */
export async function someFound(
  { manager }: Context,
  { words, patrimonyId, status, type }: AssetQuery,
  most: number,
): Promise<AssetPlace[]> {
  const rows = await manager.rows<Place>(
    'SELECT registration, id FROM tokenization.some_found_assets($1, $2, $3, $4, $5)',
    [words, patrimonyId, status, type, most],
  );
  return rows.map(placeOf);
}

export function countFound(
  context: Context,
  { words, patrimonyId, status, type }: AssetQuery,
  most: number,
): Promise<number> {
  return context.asOf === undefined
    ? context.manager.countRows('SELECT tokenization.count_found_assets($1, $2, $3, $4, $5)::float8 AS count', [
        words,
        patrimonyId,
        status,
        type,
        most,
      ])
    : context.manager.countRows(
        `SELECT count(*)::float8 AS count FROM (SELECT FROM tokenization.assets WHERE ${matchingThen} LIMIT $5) AS found`,
        [patternsOf(words), patrimonyId, status, type, most],
      );
}

const matching = `search_text ~ ALL ($1) AND ($2::uuid IS NULL OR patrimony_id = $2) AND ($3::text IS NULL OR status = $3)
  AND ($4::text IS NULL OR type = $4)`;

/** Matches as of an earlier moment: a name is found only where the present row may show it too; the external id without tax ids in any case. */
const matchingThen = `${matching} AND (
  (NOT tokenization.is_natural_person(debtor_name, debtor_document)
    AND tokenization.without_tax_ids(search_text, debtor_document) ~ ALL ($1)
    AND EXISTS (SELECT FROM tokenization.present_assets() AS present WHERE present.id = assets.id
      AND (NOT tokenization.is_natural_person(present.debtor_name, present.debtor_document) OR present.search_text ~ ALL ($1))))
  OR tokenization.without_tax_ids(tokenization.external_id_text(external_id), debtor_document) ~ ALL ($1))`;

/** Normalised words contain only letters, digits and spaces, so nothing has a special meaning. The same as `tokenization.search_condition`. */
function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => (Array.from(word).length < 3 ? `(^| )${word}` : word));
}

export function assetsAt(context: Context, query: AssetQuery, places: readonly AssetPlace[]): Promise<AssetRow[]> {
  const { patrimonyId, status, type, words } = query;
  return context.manager.rows<AssetRow>(
    `SELECT ${assetColumns} FROM tokenization.assets
     WHERE id = ANY ($5) AND ${context.asOf === undefined ? matching : matchingThen} ORDER BY registration, id`,
    [patternsOf(words), patrimonyId, status, type, places.map((place) => partsOf(place).id)],
  );
}

/** Whether a credit is as a payment of an operator left it, or a reversal of an act restored it: nothing else has changed it since. */
export async function isAsPaid({ manager }: Context, assetId: string): Promise<boolean> {
  const row = await manager.row<{ action: string | null }>(
    `SELECT l.action FROM tokenization.assets a LEFT JOIN shared.audit_log l ON l.id = a.recorded_by WHERE a.id = $1`,
    [assetId],
  );
  return row?.action === 'recordAssetPayment' || row?.action === 'revertImport';
}

/** Returns the number of the instalment of a credit whose payment an operator recorded last, if that was after the payment of another one. */
export function findPaidLater(
  { manager }: Context,
  { assetId, installmentNumber }: InstallmentRow,
): Promise<number | undefined> {
  return manager.value(
    `SELECT later.installment_number FROM tokenization.asset_installments paid
     JOIN shared.audit_log own ON own.id = paid.recorded_by AND own.action = 'recordAssetPayment'
     JOIN tokenization.asset_installments later ON later.asset_id = paid.asset_id AND later.status = 'PAID'
       AND later.recorded_at > paid.recorded_at
     JOIN shared.audit_log l ON l.id = later.recorded_by AND l.action = 'recordAssetPayment'
     WHERE paid.asset_id = $1 AND paid.installment_number = $2 ORDER BY later.recorded_at DESC LIMIT 1`,
    [assetId, installmentNumber],
  );
}

/** Returns the amount received for an instalment before it was paid in full, as it was last kept; undefined if it was never kept unpaid. */
export function findPartBefore(
  { manager }: Context,
  { assetId, installmentNumber, amount }: InstallmentRow,
): Promise<string | undefined> {
  return manager.value(
    `SELECT CASE WHEN paid_amount < $3::numeric THEN paid_amount ELSE 0 END FROM tokenization.asset_installments_versions
     WHERE asset_id = $1 AND installment_number = $2 AND status = 'PENDING' ORDER BY record_version DESC LIMIT 1`,
    [assetId, installmentNumber, amount],
  );
}

/** Returns the balance that a credit had when as much had been received for the same instalments; undefined if no such state was kept. */
export function findBalanceBefore(
  { manager }: Context,
  { id, originalValue, installments, received, paidInstallments }: AssetRow,
): Promise<string | undefined> {
  return manager.value(
    `SELECT current_balance FROM tokenization.assets_versions
     WHERE id = $1 AND (original_value, installments, received, paid_installments) = ($2::numeric, $3::integer, $4::numeric, $5::integer)
       AND status IN ('ACTIVE', 'DEFAULTED') ORDER BY record_version DESC LIMIT 1`,
    [id, originalValue, installments, received, paidInstallments],
  );
}

/** @throws {ApiError} NOT_FOUND */
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

export function readInstalmentsOf({ manager }: Context, assetIds: readonly string[]): Promise<InstallmentRow[]> {
  return manager.rows(
    `SELECT ${installmentColumns} FROM tokenization.asset_installments WHERE asset_id = ANY ($1) ORDER BY asset_id, due_date, installment_number`,
    [assetIds],
  );
}

export async function saveInstalments({ manager }: Context, instalments: readonly InstallmentRow[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.asset_installments i SET paid_amount = p.paid_amount, abated_amount = p.abated_amount, paid_on = p.paid_on, status = p.status
     FROM unnest($1::uuid[], $2::integer[], $3::numeric[], $4::date[], $5::text[], $6::numeric[])
       AS p (asset_id, installment_number, paid_amount, paid_on, status, abated_amount)
     WHERE i.asset_id = p.asset_id AND i.installment_number = p.installment_number`,
    [...arraysOf(instalments, 'assetId', 'installmentNumber', 'paidAmount', 'paidOn', 'status', 'abatedAmount')],
  );
}

export async function saveAsset(context: Context, asset: AssetRow): Promise<void> {
  await saveAssets(context, [asset]);
}

export async function saveAssets({ manager, clock }: Context, assets: readonly AssetRow[]): Promise<void> {
  await manager.execute(
    `UPDATE tokenization.assets a SET status = p.status, current_balance = p.current_balance, received = p.received,
       abated = p.abated, paid_installments = p.paid_installments, next_due_date = p.next_due_date, updated_at = $8
     FROM unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::integer[], $7::date[])
       AS p (id, status, current_balance, received, abated, paid_installments, next_due_date)
     WHERE a.id = p.id`,
    [
      ...arraysOf(assets, 'id', 'status', 'currentBalance', 'received', 'abated', 'paidInstallments', 'nextDueDate'),
      clock.now(),
    ],
  );
}

export type MovedAsset = Pick<
  AssetRow,
  'id' | 'batchId' | 'externalId' | 'debtorDocument' | 'patrimonyId' | 'currentBalance'
>;

// SQL: the instalment `i` puts its credit in default on the day $1.
const late = `i.status = 'PENDING' AND ${inDefault('i.due_date', '$1')}`;
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

export const intoDefault: DueMove = {
  from: 'ACTIVE',
  to: 'DEFAULTED',
  candidates: 'FROM late JOIN tokenization.assets a ON a.id = late.asset_id WHERE true',
  where: isLate,
};

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

/** Locks assets and decides in a separate statement, which sees payments committed before the lock. Must run in a transaction; those that others have locked are left out. */
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
