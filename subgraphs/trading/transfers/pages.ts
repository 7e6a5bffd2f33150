import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import {
  connectionPage,
  openPage,
  type ConnectionArguments,
  type PageRange,
} from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Context } from '../../../shared/kernel/context.js';

interface TransferList<Query, Row> {
  /** Reads the rows of a range, and one more if there are more. */
  readonly list: (context: Context, query: Query, page: PageRange) => Promise<readonly Row[]>;
  readonly count: (context: Context, query: Query) => Promise<number>;
}

interface PageRequest<Query> {
  readonly query: Query;
  /** Identifies the list: cursors of other lists are rejected. */
  readonly scope: string;
  readonly page: ConnectionArguments;
}

/** @throws {ApiError} BAD_REQUEST for a number out of bounds, or a cursor of another list */
export async function readPage<Query, Row extends { readonly id: string }, T>(
  context: Context,
  codec: CursorCodec,
  { query, scope, page: wanted }: PageRequest<Query>,
  { list, count }: TransferList<Query, Row>,
  toNode: (row: Row) => T,
): Promise<Connection<T>> {
  const page = openPage(codec, connectionPage(wanted), { scope });
  return toConnection(
    page.take(await list(context, query, page), ({ id }) => [id]),
    toNode,
    () => count(context, query),
  );
}

/** The scope of the list of a wallet, of one status or of all. */
export const scopeOfWallet = (walletId: string, status: string | null | undefined) =>
  status == null ? walletId : `${walletId}/${status}`;
