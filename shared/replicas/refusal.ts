import type { History } from './marks.js';
import type { Seen } from './replica.store.js';

/**
 * Returns why a server cannot stand in for the primary, as a sentence that says what to do; undefined when it can, once it is current. Whether it is
 * current, its position decides: see `marks.ts`.
 */
export function refusalOf(seen: Seen, primary: History): string | undefined {
  if (seen.system !== primary.system)
    return 'is of another installation than DATABASE_URL: give DATABASE_REPLICA_URLS standbys that were made from that server';
  if (!seen.standby)
    return 'is no standby: it is the primary itself, or was promoted. It is used again once it follows the server of DATABASE_URL';
  if (seen.timeline > primary.timeline)
    return `follows a server that was promoted (timeline ${seen.timeline}), and DATABASE_URL leads to one that was not (timeline ${primary.timeline}): point DATABASE_URL to the new primary`;
  if (seen.timeline < primary.timeline)
    return (
      `does not show that it follows the new primary (timeline ${primary.timeline}; it shows ${seen.timeline}). ` +
      'If it streams from it, this ends with its next checkpoint, or at once where the role of its address is granted pg_read_all_stats'
    );
  return undefined;
}
