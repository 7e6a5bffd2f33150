import type { CursorCodec } from '../../../shared/cursor.js';
import { connectionPage, openPage, type ConnectionArguments, type PageRange } from '../../../shared/list-page.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';

export type Page<T> = Pick<Connection<T>, 'nodes' | 'pageInfo'>;

interface PageRequest {
  /** Identifies the list: cursors of other lists are rejected. */
  readonly scope: string;
  readonly page: ConnectionArguments;
}

/**
 * Reads a page of rows by their ids.
 * @param read reads the rows of a range, and one more if there are more
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, or a cursor of another list
 */
export async function readPage<R extends { readonly id: string }, T>(
  codec: CursorCodec,
  { scope, page: wanted }: PageRequest,
  read: (page: PageRange) => Promise<readonly R[]>,
  toNode: (row: R) => T,
): Promise<Page<T>> {
  const page = openPage(codec, connectionPage(wanted), { scope });
  return toConnection(
    page.take(await read(page), ({ id }) => [id]),
    toNode,
  );
}
