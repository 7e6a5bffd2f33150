import type { Context } from '../../../shared/context.js';
import { keyset } from '../../../shared/list-page.js';
import { groupBy } from '../../../shared/group-by.js';
import { loadByLimit } from './load-by-limit.js';

/** A key of batched reads: some lines of a batch, in their order. */
export interface LinePlaces {
  readonly batchId: string;
  /** The position beyond which they are; null for the first, or the last where `backward`. */
  readonly after: number | null;
  /** Whether they are read from the last to the first. */
  readonly backward: boolean;
  /** How many. */
  readonly first: number;
}

/** Loads lines of each given batch, in the order of the keys. */
export type LineLoader<Row> = (context: Context, keys: readonly LinePlaces[]) => Promise<(readonly Row[])[]>;

/**
 * Creates the loader of the lines of a kind of batches.
 * @param columns SQL of the columns, with the position of the line as `position`
 * @param from SQL of the tables
 * @param line the name of the table of lines in it
 */
export function lineLoader<Row>(columns: string, from: string, line: string): LineLoader<Row> {
  return ({ manager }, keys) =>
    loadByLimit(keys, async (first, alike) => {
      const { beyond, direction } = keyset('ASC', alike[0]);
      const rows = await manager.rows<Row & { readonly key: number }>(
        `SELECT place.* FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (batch_id, after, key)
         CROSS JOIN LATERAL (
           SELECT wanted.key::integer, ${columns} FROM ${from}
           WHERE ${line}.batch_id = wanted.batch_id AND (wanted.after IS NULL OR ${line}.position ${beyond} wanted.after)
           ORDER BY ${line}.position ${direction} LIMIT $3) AS place
         ORDER BY place.key, place.position ${direction}`,
        [alike.map(({ batchId }) => batchId), alike.map(({ after }) => after), first],
      );
      const byKey = groupBy(rows, ({ key }) => key);
      return (_key, index) => byKey.get(index + 1);
    });
}
