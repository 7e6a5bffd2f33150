import type { Manager } from '../../database/manager.js';
import type { Kind } from '../model/kind.js';
import type { Effect } from './merge.js';
import { identityOf, ownersOf, stagedForm } from './read-back.js';
import { stagedColumns, stageOf } from './sql.js';

/*
 * Records to be removed. They are in tables beside the staging tables and of the same form, so that their parents are known; the columns `own_…`
 * identify them in their own table.
 */

/** Returns the temporary table of the records of a kind that are to be removed; their ids are in its column `own_id`. */
export function retractedOf({ table }: Pick<Kind, 'table'>): string {
  return `retracted_${table.split('.').at(-1) ?? ''}`;
}

/** Returns SQL that creates the tables of records to be removed. They are dropped with the transaction. */
export function createRetracted(kinds: readonly Kind[]): string {
  return kinds
    .map((kind) => {
      const own = identityOf(kind).map((column) => `t.${column} AS own_${column}`);
      return `CREATE TEMP TABLE ${retractedOf(kind)} ON COMMIT DROP AS
        SELECT s.*, ${own.join(', ')} FROM ${stageOf(kind)} s, ${kind.table} t WITH NO DATA`;
    })
    .join(';\n');
}

/** Marks rows of a kind, given as SQL, for removal; returns how many there are. */
export async function stageRetracted(manager: Manager, kind: Kind, rows: string, parameter: unknown): Promise<number> {
  const identity = identityOf(kind);
  const columns = [...stagedColumns(kind).map(({ name }) => name), ...identity.map((column) => `own_${column}`)];
  const staged = await manager.rows<unknown>(
    `INSERT INTO ${retractedOf(kind)} (${columns.join(', ')})
     SELECT ${stagedForm(kind)}, ${identity.map((column) => `o.${column}`).join(', ')} FROM (${rows}) o ${ownersOf(kind, 'o').joins} RETURNING 1`,
    [parameter],
  );
  return staged.length;
}

/** Removes the marked records of a kind: children before their parents. @throws a foreign key violation if something refers to one of them */
export async function retract(manager: Manager, kind: Kind): Promise<Effect[]> {
  const { join, affected } = kind.source;
  const same = identityOf(kind).map((column) => `t.${column} = x.own_${column}`);
  return manager.rows<Effect>(
    `WITH x AS MATERIALIZED (
       SELECT r.*, a.affected FROM ${retractedOf(kind)} r
       LEFT JOIN LATERAL (SELECT ${affected} AS affected FROM (SELECT r.*) s ${join}) a ON true
     ), removed AS (DELETE FROM ${kind.table} t USING x WHERE ${same.join(' AND ')} RETURNING x.affected)
     SELECT affected, 0 AS created, 0 AS changed, count(*)::integer AS removed, NULL AS newest FROM removed GROUP BY affected`,
  );
}
