import { refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import type { BrokenRule } from './broken-rule.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import type { LineLoader } from './batch.store.js';

export const maxLines = 50_000;

export type LineError<Line> = readonly [
  field: (keyof Line & string) | `${keyof Line & string}[${number}].${string}`,
  rule: BrokenRule,
];

/** Names a line of the caller's input, or a field of it: `contracts[17].debtorDocument`, or `line 19, columns 221-234` in a file. */
export type PlaceOf = (index: number, field?: string) => string;

export function itemsOf(list: string): PlaceOf {
  return (index, field) => (field === undefined ? `${list}[${index}]` : `${list}[${index}].${field}`);
}

/** Returns the errors of each line, by place; yields to the event loop, since there may be 50,000 lines. */
export async function lineErrors<Line>(
  placeOf: PlaceOf,
  lines: readonly Line[],
  errorsOf: (line: Line) => readonly LineError<Line>[],
): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  await eachInTurns(lines, (line, index) => {
    for (const [field, { message }] of errorsOf(line)) details.push({ path: placeOf(index, field), message });
  });
  return details;
}

export interface Besides {
  /** Errors in the rest of the input. */
  readonly others?: readonly ErrorDetail[];
  /** Names the place of a line in errors; by default, the place in a JSON body. */
  readonly placeOf?: PlaceOf;
}

/** Reports all errors. @param list the name of the lines in a JSON body @throws {ApiError} BAD_REQUEST for the form or too many lines */
export async function requireLineForm<Line>(
  list: string,
  lines: readonly Line[],
  errorsOf: (line: Line) => readonly LineError<Line>[],
  { others = [], placeOf = itemsOf(list) }: Besides,
): Promise<void> {
  const fits = lines.length >= 1 && lines.length <= maxLines;
  const size = fits ? [] : [errorAt(list, 'LIST_LENGTH', { min: 1, max: maxLines })];
  const wrong = lines.length > maxLines ? [] : await lineErrors(placeOf, lines, errorsOf);
  refuse('BAD_REQUEST', [...others, ...size, ...wrong]);
}

export const linePage = { usual: 20, most: maxLines } as const;

/** Pages of several batches are loaded in one query. @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours */
export async function readLines<Row extends { readonly position: number }>(
  context: Context,
  codec: CursorCodec,
  load: LineLoader<Row>,
  batchId: string,
  input: PageInput,
): Promise<ListPage<Row>> {
  const page = openPage(codec, input, { scope: batchId, ...linePage });
  const { limit, backward } = page;
  const after = page.after === undefined ? null : Number(page.after);
  const range = { batchId, after, backward, first: limit + 1 };
  return page.take(await loaderOf(context, load).load(range), ({ position }) => [String(position)]);
}
