import type { Context } from '../../../shared/kernel/context.js';
import { assetColumns, type AssetRow } from './asset.store.js';
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
import type { AssetStatus, AssetType } from './asset.js';

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

/**
 * Returns places of the assets that a query with words finds, in the order of the list.
 * @param areFew whether so few are found that all of them may be read; otherwise no more of the list is read than up to the last place
 */
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

/** Returns how many assets a query with words finds, at most `most`. */
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

const matching = `search_text LIKE ALL ($1) AND ($2::uuid IS NULL OR patrimony_id = $2) AND ($3::text IS NULL OR status = $3)
  AND ($4::text IS NULL OR type = $4)`;

/**
 * The same as of an earlier moment. A name that the version of then may show is found only where the present row may show it too; the external id without
 * tax ids is found in any case. A version keeps the search text of its time, which may have what is not searched any more.
 */
const matchingThen = `${matching} AND (
  (NOT tokenization.is_natural_person(debtor_name, debtor_document)
    AND tokenization.without_tax_ids(search_text, debtor_document) LIKE ALL ($1)
    AND EXISTS (SELECT FROM tokenization.present_assets() AS present WHERE present.id = assets.id
      AND (NOT tokenization.is_natural_person(present.debtor_name, present.debtor_document) OR present.search_text LIKE ALL ($1))))
  OR tokenization.without_tax_ids(tokenization.external_id_text(external_id), debtor_document) LIKE ALL ($1))`;

/** Normalised words contain only letters and digits, so nothing has a special meaning to LIKE. */
function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => `%${word}%`);
}

/** Returns the assets at the given places that the query still finds, in order. */
export function assetsAt(context: Context, query: AssetQuery, places: readonly AssetPlace[]): Promise<AssetRow[]> {
  const { patrimonyId, status, type, words } = query;
  return context.manager.rows<AssetRow>(
    `SELECT ${assetColumns} FROM tokenization.assets
     WHERE id = ANY ($5) AND ${context.asOf === undefined ? matching : matchingThen} ORDER BY registration, id`,
    [patternsOf(words), patrimonyId, status, type, places.map((place) => partsOf(place).id)],
  );
}
