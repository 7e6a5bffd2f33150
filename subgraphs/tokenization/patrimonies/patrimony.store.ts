import type { Shape } from '../../../shared/graphql/shape.js';
import type { Patrimony } from './patrimony.type.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { keyset, type PageRange } from '../../../shared/graphql/list-page.js';
import { canBeTicker } from '../../securities/tickers.js';

/** An estate. The migrations describe the columns, as for every table of this domain. */
export interface PatrimonyRow extends Shape<Patrimony> {
  readonly operationTicker: string | null;
  readonly updatedAt: Date;
}

export const patrimonyColumns = columnsOf<PatrimonyRow>()(
  'id ticker name slug status operationTicker createdAt updatedAt',
);

/** Returns the estate with a ticker or slug, ignoring case; a ticker takes precedence over an equal slug. */
export async function findPatrimony(context: Context, tickerOrSlug: string): Promise<PatrimonyRow | undefined> {
  if (!canBeTicker(tickerOrSlug)) return undefined;
  return context.manager.row(
    `SELECT ${patrimonyColumns} FROM tokenization.patrimonies
     WHERE lower(ticker) = lower($1) OR lower(slug) = lower($1)
     ORDER BY lower(ticker) = lower($1) DESC LIMIT 1`,
    [tickerOrSlug],
  );
}

export async function patrimoniesById(context: Context, ids: readonly string[]): Promise<(PatrimonyRow | undefined)[]> {
  const rows = await context.manager.rows<PatrimonyRow>(
    `SELECT ${patrimonyColumns} FROM tokenization.patrimonies WHERE id = ANY ($1)`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id);
}

export async function estateOf(context: Context, id: string): Promise<PatrimonyRow> {
  const row = await loaderOf(context, patrimoniesById).load(id);
  if (row === undefined) throw new Error(`The estate ${id}, which other rows refer to, does not exist`);
  return row;
}

/** Returns the estates with the given tickers, ignoring case, in the order of the tickers. */
export async function patrimoniesByTicker(
  context: Context,
  tickers: readonly string[],
): Promise<(PatrimonyRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.rows<PatrimonyRow>(
    `SELECT ${patrimonyColumns} FROM tokenization.patrimonies WHERE lower(ticker) = ANY ($1)`,
    [lower.filter(canBeTicker)],
  );
  return itemsOf(lower, rows, ({ ticker }) => ticker.toLowerCase());
}

/** SQL normalises as `normalizeText` does it; the removed characters are combining accents. A house has hundreds of estates: no index serves it. */
const searched = `regexp_replace(lower(regexp_replace(normalize(ticker || ' ' || slug || ' ' || name, NFKD),
  '[\\u0300-\\u036f]', '', 'g')), '[^[:alnum:]]+', ' ', 'g')`;

const hasAll = (place: string) => `(cardinality(${place}::text[]) = 0 OR ${searched} LIKE ALL (${place}))`;

/** Returns estates with all of the words, ordered by lower-case ticker, one more than the page holds if there are more. */
export function listPatrimonies(context: Context, page: PageRange, words: readonly string[]): Promise<PatrimonyRow[]> {
  const { beyond, direction } = keyset('ASC', page);
  return context.manager.rows<PatrimonyRow>(
    `SELECT ${patrimonyColumns} FROM tokenization.patrimonies
     WHERE ($1::text IS NULL OR lower(ticker) ${beyond} $1) AND ${hasAll('$3')}
     ORDER BY lower(ticker) ${direction} LIMIT $2`,
    [page.after ?? null, page.limit + 1, patterns(words)],
  );
}

export function countPatrimonies(context: Context, words: readonly string[]): Promise<number> {
  return context.manager.countRows(
    `SELECT count(*)::int AS count FROM tokenization.patrimonies WHERE ${hasAll('$1')}`,
    [patterns(words)],
  );
}

/** Normalised words have only letters, digits and spaces: nothing in them has a special meaning to LIKE. */
function patterns(words: readonly string[]): string[] {
  return words.map((word) => `%${word}%`);
}

/** Returns the newest estate behind each of the given operations, in the order of the tickers, ignoring case. */
export async function patrimoniesByOperation(
  context: Context,
  operationTickers: readonly string[],
): Promise<(PatrimonyRow | undefined)[]> {
  const lower = operationTickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.rows<PatrimonyRow>(
    `SELECT DISTINCT ON (lower(operation_ticker)) ${patrimonyColumns} FROM tokenization.patrimonies
     WHERE lower(operation_ticker) = ANY ($1) ORDER BY lower(operation_ticker), created_at DESC, id DESC`,
    [lower.filter(canBeTicker)],
  );
  return itemsOf(lower, rows, ({ operationTicker }) => operationTicker?.toLowerCase());
}

export interface PatrimonyFigures {
  readonly trancheCount: number;
  readonly assetCount: number;
  /** Issue value times units of its series, without drafts: in reais, 2 decimals. */
  readonly totalIssued: string;
}

export async function figuresOf(context: Context, patrimonyIds: readonly string[]): Promise<PatrimonyFigures[]> {
  const rows = await context.manager.rows<PatrimonyFigures & { readonly id: string }>(
    `SELECT patrimony.id, tranches.count AS "trancheCount", tranches.issued AS "totalIssued",
       (SELECT coalesce(sum(count), 0)::float8 FROM tokenization.asset_totals WHERE patrimony_id = patrimony.id) AS "assetCount"
     FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
       SELECT count(*)::int, round(coalesce(sum(issue_value * token_quantity) FILTER (WHERE status <> 'DRAFT'), 0), 2) AS issued
       FROM tokenization.tranches WHERE patrimony_id = patrimony.id) AS tranches`,
    [patrimonyIds],
  );
  const byId = new Map(rows.map(({ id, ...figures }) => [id, figures]));
  return patrimonyIds.map((id) => byId.get(id) ?? { trancheCount: 0, assetCount: 0, totalIssued: '0.00' });
}
