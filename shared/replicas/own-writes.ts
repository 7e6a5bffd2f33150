import type { OwnWrites } from '../context.js';
import { readTogether } from '../database/read-together.js';
import { parseLsn } from './lsn.js';
import type { ReadAfterTokens } from './read-after.js';
import type { RecentWriters } from './recent-writers.js';

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
