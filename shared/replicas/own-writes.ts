import type { Context } from '../context.js';
import { readTogether } from '../database/read-together.js';
import { parseLsn } from './lsn.js';
import type { ReadAfterTokens } from './read-after.js';
import type { RecentWriters } from './recent-writers.js';

/** What a request has written, so that later requests of the same caller read it. */
export interface OwnWrites {
  /** The value of `X-Read-After` for the response; undefined while nothing was written. */
  readonly token: string | undefined;
  /** Returns the writes of one request. */
  ofRequest(): OwnWrites;
  /**
   * Notes that an operation that may have changed something has ended: committed, rejected or with an unknown outcome.
   * @param asksPosition whether the primary serves, and can be asked for the position
   */
  note(context: Pick<Context, 'manager' | 'principal'>, asksPosition: boolean): Promise<void>;
}

const only = '';
/**
 * The position that everything committed before has. It is read after the commit, since no transaction knows the position of its own commit, and once for
 * all who ask meanwhile.
 */
const written = readTogether(async ({ manager }) => {
  const lsn = await manager.value<string>(`SELECT (pg_current_wal_insert_lsn() - '0/0')::text`);
  return new Map(lsn === undefined ? [] : [[only, lsn]]);
});

export function createOwnWrites(tokens: ReadAfterTokens, writers: RecentWriters): OwnWrites {
  let token: string | undefined;
  return {
    get token() {
      return token;
    },
    ofRequest: () => createOwnWrites(tokens, writers),
    note: async ({ manager, principal }, asksPosition) => {
      const [lsn] = await Promise.all([
        // The change stands whether or not its position can be read: then the note alone leads its caller to it.
        asksPosition ? written({ manager }, only).catch(() => undefined) : undefined,
        writers.note(principal),
      ]);
      const position = lsn === undefined ? undefined : parseLsn(lsn);
      if (position !== undefined) token = tokens.sign(position);
    },
  };
}
