import { ArgsType, Field, Int } from 'type-graphql';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage } from '../../../shared/list-page.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import { WalletArgs } from '../profiles/wallet-args.js';

/** The arguments of a wallet's list. */
@ArgsType()
export class WalletPageArgs extends WalletArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Page size, from 1 to 100; default 20.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the previous page.' })
  after?: string | null;
}

/** The arguments of a list of all companies. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Page size, from 1 to 100; default 20.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the previous page.' })
  after?: string | null;
}

export type Page<T> = Pick<Connection<T>, 'nodes' | 'pageInfo'>;

interface PageRequest {
  /** Identifies the list: cursors of other lists are rejected. */
  readonly scope: string;
  readonly first: number | null | undefined;
  readonly after: string | null | undefined;
}

/**
 * Reads a page of rows in the order of their ids.
 * @param read reads so many rows after an id, or the first ones
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, or a cursor of another list
 */
export async function readPage<R extends { readonly id: string }, T>(
  codec: CursorCodec,
  { scope, first, after }: PageRequest,
  read: (after: string | null, limit: number) => Promise<readonly R[]>,
  toNode: (row: R) => T,
): Promise<Page<T>> {
  const page = openPage(codec, { limit: first, cursor: after }, { scope });
  const found = await read(page.after ?? null, page.limit + 1);
  const { rows, cursors, hasNext } = page.take(found, ({ id }) => [id]);
  return toConnection(rows.map(toNode), cursors, hasNext);
}
