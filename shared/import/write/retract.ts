import type { EntityManager } from 'typeorm';
import type { Kind } from '../model/kind.js';
import type { Effect } from './merge.js';
import { identityOf, ownersOf, stagedForm } from './read-back.js';
import { stagedColumns, stageOf } from './sql.js';

/*
 * Records that are to go. They lie in tables beside the staging tables, in the form of those, so that what they belong to is told; the columns
 * `own_…` are how their own table knows them.
 */

/** The temporary table of the records of a kind that are to go; their ids are in its column `own_id`. */
export function retractedOf({ table }: Pick<Kind, 'table'>): string {
  return `retracted_${table.split('.').at(-1) ?? ''}`;
}

/** Creates the tables of what is to go. They vanish with the transaction. */
export function createRetracted(kinds: readonly Kind[]): string {
  return kinds
    .map((kind) => {
      const own = identityOf(kind).map((column) => `t.${column} AS own_${column}`);
      return `CREATE TEMP TABLE ${retractedOf(kind)} ON COMMIT DROP AS
        SELECT s.*, ${own.join(', ')} FROM ${stageOf(kind)} s, ${kind.table} t WITH NO DATA`;
    })
    .join(';\n');
}

/** Notes that rows of a kind, SQL, are to go; returns how many there are. */
export async function stageRetracted(
  manager: EntityManager,
  kind: Kind,
  rows: string,
  parameter: unknown,
): Promise<number> {
  const identity = identityOf(kind);
  const columns = [...stagedColumns(kind).map(({ name }) => name), ...identity.map((column) => `own_${column}`)];
  const staged = await manager.query<unknown[]>(
    `INSERT INTO ${retractedOf(kind)} (${columns.join(', ')})
     SELECT ${stagedForm(kind)}, ${identity.map((column) => `o.${column}`).join(', ')} FROM (${rows}) o ${ownersOf(kind, 'o').joins} RETURNING 1`,
    [parameter],
  );
  return staged.length;
}

/**
 * Removes the records of a kind that are to go: children before what they belong to.
 * @throws a violation of a foreign key where something refers to one
 */
export async function retract(manager: EntityManager, kind: Kind): Promise<Effect[]> {
  const { join, affected } = kind.source;
  const same = identityOf(kind).map((column) => `t.${column} = x.own_${column}`);
  return manager.query<Effect[]>(
    `WITH x AS MATERIALIZED (
       SELECT r.*, a.affected FROM ${retractedOf(kind)} r
       LEFT JOIN LATERAL (SELECT ${affected} AS affected FROM (SELECT r.*) s ${join}) a ON true
     ), removed AS (DELETE FROM ${kind.table} t USING x WHERE ${same.join(' AND ')} RETURNING x.affected)
     SELECT affected, 0 AS created, 0 AS changed, count(*)::integer AS removed, NULL AS newest FROM removed GROUP BY affected`,
  );
}
