import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import {
  connectionPage,
  openPage,
  type ConnectionArguments,
  type PageRange,
} from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';

interface TransferList<R> {
  /** Reads the rows of a range, and one more if there are more. */
  readonly read: (page: PageRange) => Promise<readonly R[]>;
  readonly count: () => Promise<number>;
}

interface PageRequest {
  /** Identifies the list: cursors of other lists are rejected. */
  readonly scope: string;
  readonly page: ConnectionArguments;
}

/** @throws {ApiError} BAD_REQUEST for a number out of bounds, or a cursor of another list */
export async function readPage<R extends { readonly id: string }, T>(
  codec: CursorCodec,
  { scope, page: wanted }: PageRequest,
  { read, count }: TransferList<R>,
  toNode: (row: R) => T,
): Promise<Connection<T>> {
  const page = openPage(codec, connectionPage(wanted), { scope });
  return toConnection(
    page.take(await read(page), ({ id }) => [id]),
    toNode,
    count,
  );
}
