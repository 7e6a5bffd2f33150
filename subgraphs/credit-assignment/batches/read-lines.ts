import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { documentedNames, graphNames, openPage, type PageInput } from '../../../shared/list-page.js';
import type { LineLoader } from './batch-lines.store.js';

/** A page of lines. */
export interface LinePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** Returns the cursor that continues after a line. */
  readonly cursorOf: (row: Row) => string;
}

/** Returns the page that the arguments of a list in the graph ask for. */
export function byCursor({
  first,
  after,
}: {
  readonly first?: number | null;
  readonly after?: string | null;
}): PageInput {
  return { limit: first, cursor: after, names: graphNames };
}

/** Returns the page that the arguments of a documented list ask for. */
export function byToken({
  limit,
  nextToken,
}: {
  readonly limit?: number | null;
  readonly nextToken?: string | null;
}): PageInput {
  return { limit, cursor: nextToken, names: documentedNames };
}

/**
 * Returns a page of the lines of a batch, in their order. Pages of several batches are loaded in one query.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readLines<Row extends { readonly position: number }>(
  context: Context,
  codec: CursorCodec,
  load: LineLoader<Row>,
  batchId: string,
  input: PageInput,
): Promise<LinePage<Row>> {
  const page = openPage(codec, input, { scope: batchId });
  const range = { batchId, after: Number(page.after ?? -1), first: page.limit + 1 };
  const positionOf = ({ position }: Row) => [String(position)];
  const { rows, hasNext } = page.take(await loaderOf(context, load).load(range), positionOf);
  return { rows, hasNext, cursorOf: (row) => page.seal(positionOf(row)) };
}
