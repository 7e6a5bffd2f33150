import type { Database } from './database.js';
import { unavailability } from './unavailable.js';

/** How often free space is checked while there is some. */
const spaceEveryMs = 5_000;

// A temporary file of a megabyte, which leaves nothing behind and writes no WAL: a table with reusable pages would accept writes for a while on a full
// disk.
const trySpace = `
  SET LOCAL work_mem = '64kB';
  WITH filling AS MATERIALIZED (SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n)
  SELECT count(*) FROM filling`;

/**
 * Creates a check of whether the database can be written to: it returns undefined if so, otherwise the reason. A full disk is detected at most every
 * five seconds, by a temporary file beside the data (or wherever `temp_tablespaces` puts it).
 * @throws when the database cannot be queried
 */
export function createWritingCheck(source: Database): () => Promise<string | undefined> {
  let hadSpaceAt = -Infinity;
  return async () => {
    const [row] = await source.query<{ reads: boolean }[]>(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS reads`,
    );
    if (row?.reads === true) return 'is read-only';
    const now = performance.now();
    if (now - hadSpaceAt < spaceEveryMs) return undefined;
    try {
      await source.query(trySpace);
    } catch (error) {
      if (unavailability(error)?.reason === 'full') return 'has no space left';
      throw error;
    }
    hadSpaceAt = now;
    return undefined;
  };
}
