/**
 * A position in PostgreSQL's write-ahead log, in bytes since its beginning. Positions of one timeline grow with every change, and a standby replays in their
 * order: what has replayed the position of a commit shows that commit and all before it.
 */
export type Lsn = bigint;

/** The largest position: PostgreSQL keeps it in 64 bits. */
const largest = 0xffff_ffff_ffff_ffffn;

/** Reads a position from decimal text; undefined when it is none. */
export function parseLsn(text: string): Lsn | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const lsn = BigInt(text);
  return lsn <= largest ? lsn : undefined;
}
