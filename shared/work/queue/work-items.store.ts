import type { Context } from '../../kernel/context.js';
import { sqlNow, statementTime } from '../../database/statement-time.js';

/** A table of work items with a column `lease uuid`, the present claim. Fields are SQL over its alias; times compare with `sqlNow`. */
export interface WorkTable {
  readonly table: string;
  readonly as: string;
  readonly key: string;
  /** When an item is due: an indexed column or expression. */
  readonly dueAt: string;
  /** The column that a claim sets to the end of its lease, after which `dueAt` shows the item as due again. */
  readonly leasedUntil: string;
  /** The condition on the items that are still to be done, as in the index. */
  readonly isOpen: string;
  /** A further condition on an item that may be claimed now, such as that none of the same owner is being worked on. Items are then claimed one by one. */
  readonly isFree?: string;
  /** Further assignments of a claim, such as `attempts = mail.attempts + 1`. */
  readonly onClaim?: string;
  /** The columns of a claimed item, with the primary key as `id`; `was` is its row before the claim. */
  readonly columns: string;
}

export interface Claim {
  /** The token of the claim, a UUID that is used once. */
  readonly lease: string;
  readonly leaseMs: number;
  readonly limit: number;
}

export interface ClaimedItem {
  readonly id: string;
  readonly lease: string;
}

/** Notes why the work on an item failed, in the column `last_error`, unless another claim has it by now. */
export async function noteFailure(
  { manager }: Context,
  { table, key }: WorkTable,
  item: ClaimedItem,
  error: string,
): Promise<void> {
  await manager.execute(`UPDATE ${table} SET last_error = $3 WHERE ${key} = $1 AND lease = $2`, [
    item.id,
    item.lease,
    storedError(error),
  ]);
}

/** Returns the text of an error as tables of work items store it: 1 to 500 characters that PostgreSQL accepts. */
export function storedError(error: string): string {
  const text = error.replaceAll('\0', '').slice(0, 500);
  return text === '' ? 'It failed without an error message' : text;
}

export interface ClaimEnd {
  /** Milliseconds until it is due again, if it is still to be done. */
  readonly afterMs?: number;
  /** Further assignments, which may use `sqlNow` and parameters from $5 on. */
  readonly set?: string;
  readonly parameters?: readonly unknown[];
}

const later = (parameter: string): string => `${sqlNow} + ${parameter}::float8 * interval '1 millisecond'`;

/** Claims due items, the longest due first, and those whose lease has run out; skips rows that others are claiming. */
export function claimItems<T>(context: Context, work: WorkTable, { lease, leaseMs, limit }: Claim): Promise<T[]> {
  const { table, as, key, dueAt, leasedUntil, isOpen, isFree = 'true', onClaim, columns } = work;
  return context.manager.rows<T>(
    // Materialized, since a plan might evaluate it repeatedly and lock other rows each time.
    `WITH was AS MATERIALIZED (
       SELECT ${as}.* FROM ${table} AS ${as} WHERE ${dueAt} <= ${sqlNow} AND (${isOpen}) AND (${isFree})
       ORDER BY ${dueAt} LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE ${table} AS ${as} SET lease = $2, ${leasedUntil} = ${later('$3')}${onClaim === undefined ? '' : `, ${onClaim}`}
       FROM was WHERE ${as}.${key} = was.${key} RETURNING ${columns}
     ) SELECT * FROM claimed`,
    [statementTime(context), lease, leaseMs, limit],
  );
}

/** Returns the milliseconds until the next item is due, or until its lease runs out; undefined when no item is to be done. */
export async function untilNextDue(context: Context, work: WorkTable): Promise<number | undefined> {
  const { table, as, dueAt, isOpen, isFree = 'true' } = work;
  const row = await context.manager.row<{ waitMs: number }>(
    `SELECT (extract(epoch FROM ${dueAt} - ${sqlNow}) * 1000)::float8 AS "waitMs" FROM ${table} AS ${as}
     WHERE ${dueAt} IS NOT NULL AND (${isOpen}) AND (${isFree}) ORDER BY ${dueAt} LIMIT 1`,
    [statementTime(context)],
  );
  return row?.waitMs;
}

/** Renews the lease of an item. Returns false if another claim has it by now. */
export async function extendClaim(
  context: Context,
  { table, key, leasedUntil }: WorkTable,
  item: ClaimedItem,
  leaseMs: number,
): Promise<boolean> {
  const count = await context.manager.execute(
    `UPDATE ${table} SET ${leasedUntil} = ${later('$4')} WHERE ${key} = $2 AND lease = $3`,
    [statementTime(context), item.id, item.lease, leaseMs],
  );
  return count > 0;
}

/** Ends the claim on an item, and writes what came of it. Returns false, and writes nothing, if another claim has it by now. */
export async function endClaim(
  context: Context,
  { table, key, leasedUntil }: WorkTable,
  item: ClaimedItem,
  { afterMs = 0, set, parameters = [] }: ClaimEnd,
): Promise<boolean> {
  const count = await context.manager.execute(
    `UPDATE ${table} SET lease = NULL, ${leasedUntil} = ${later('$4')}${set === undefined ? '' : `, ${set}`}
     WHERE ${key} = $2 AND lease = $3`,
    [statementTime(context), item.id, item.lease, afterMs, ...parameters],
  );
  return count > 0;
}
