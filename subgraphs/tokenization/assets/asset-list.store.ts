import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { AssetRow } from './asset.entity.js';
import {
  beforeAll,
  partsOf,
  placeOf,
  type AssetPlace,
  type AssetPlaces,
  type AssetQuery,
  type PackedPlaces,
} from './asset-list.js';
import type { AssetStatus, AssetType } from './asset.js';

/** The assets of one status and type: a run of the index, in the order of the list. */
export interface AssetRun {
  readonly status: AssetStatus;
  readonly type: AssetType;
  readonly count: number;
}

/** The runs that a query takes, words aside, with how many assets are in each; empty ones are left out. */
export async function runsOf(context: Context, { patrimonyId, status, type }: AssetQuery): Promise<AssetRun[]> {
  return context.manager.query<AssetRun[]>(
    `SELECT status, type, sum(count)::int AS count FROM tokenization.asset_totals
     WHERE ($1::uuid IS NULL OR patrimony_id = $1) AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR type = $3)
     GROUP BY status, type HAVING sum(count) > 0`,
    [patrimonyId, status, type],
  );
}

/** The places of a list without words. It reads as many entries of the indexes as there are places before them. */
export async function placesAt(
  context: Context,
  { patrimonyId, status, type }: AssetQuery,
  runs: readonly AssetRun[],
  { after, offset, limit }: AssetPlaces,
): Promise<AssetPlace[]> {
  const everything = patrimonyId === null && status === null && type === null;
  const { registration, id } = partsOf(after ?? beforeAll);
  const places = [registration, id, offset, limit];
  const rows = await context.manager.query<{ registration: string; id: string }[]>(
    everything
      ? 'SELECT registration, id FROM tokenization.assets WHERE (registration, id) > ($1, $2) ORDER BY registration, id OFFSET $3 LIMIT $4'
      : merged(runs.length, patrimonyId !== null),
    everything
      ? places
      : [...places, ...runs.flatMap((run) => [run.status, run.type]), ...(patrimonyId === null ? [] : [patrimonyId])],
  );
  return rows.map(placeOf);
}

/** Merges runs of an index, each of them in order: nothing is sorted, and nothing is read beyond the places asked for. */
function merged(runs: number, ofPatrimony: boolean): string {
  const first = 5;
  const patrimony = ofPatrimony ? `patrimony_id = $${String(first + 2 * runs)} AND ` : '';
  const branches = Array.from({ length: runs }, (_, index) => {
    const [status, type] = [`$${String(first + 2 * index)}`, `$${String(first + 2 * index + 1)}`];
    return `(SELECT registration, id FROM tokenization.assets
      WHERE ${patrimony}status = ${status} AND type = ${type} AND (registration, id) > ($1, $2)
      ORDER BY registration, id LIMIT $3::bigint + $4::bigint)`;
  });
  return `SELECT registration, id FROM (${branches.join(' UNION ALL ')}) AS place ORDER BY registration, id OFFSET $3 LIMIT $4`;
}

/** The places of all assets that a query with words finds. */
export async function searchAssets(
  context: Context,
  { words, patrimonyId, status, type }: AssetQuery,
): Promise<PackedPlaces> {
  const [row] = await context.manager.query<{ found: PackedPlaces | null }[]>(
    context.asOf === undefined ? 'SELECT tokenization.find_asset_places($1, $2, $3, $4) AS found' : foundThen,
    [context.asOf === undefined ? words : patternsOf(words), patrimonyId, status, type],
  );
  return row?.found ?? Buffer.alloc(0);
}

// A function reads tables as they are now; a statement can be had as of a moment.
const foundThen = `SELECT string_agg(int8send(registration) || uuid_send(id), '' ORDER BY registration, id) AS found FROM tokenization.assets
  WHERE search_text LIKE ALL ($1) AND ($2::uuid IS NULL OR patrimony_id = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR type = $4)`;

/** Normalised words hold letters and digits alone: nothing that LIKE would read otherwise. */
function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => `%${word}%`);
}

/** The assets at some places that a query finds now, in order. */
export function assetsAt(context: Context, query: AssetQuery, places: readonly AssetPlace[]): Promise<AssetRow[]> {
  const { patrimonyId, status, type, words } = query;
  return context.manager.query<AssetRow[]>(
    `SELECT ${columnsOf(context.manager, AssetRow)} FROM tokenization.assets
     WHERE id = ANY ($1) AND ($2::uuid IS NULL OR patrimony_id = $2) AND ($3::text IS NULL OR status = $3)
       AND ($4::text IS NULL OR type = $4) AND search_text LIKE ALL ($5) ORDER BY registration, id`,
    [places.map((place) => partsOf(place).id), patrimonyId, status, type, patternsOf(words)],
  );
}
