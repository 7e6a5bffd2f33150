import type { Pool } from 'pg';
import { z } from 'zod';
import type { History, Lsn } from './marks.js';

const position = z.string().regex(/^\d+$/).transform(BigInt);

const written = z.object({ system: z.string(), timeline: z.number(), lsn: position });

/** Returns what the primary has durably written. @throws where it is in recovery itself, or away */
export async function readWritten(pool: Pool): Promise<History & { readonly lsn: Lsn }> {
  const { rows } = await pool.query(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
       (pg_current_wal_flush_lsn() - '0/0')::text AS lsn`,
  );
  return written.parse(rows[0]);
}

const seen = z.object({
  standby: z.boolean(),
  system: z.string(),
  timeline: z.number(),
  replayed: position.nullable(),
  startedAt: z.string(),
});

/** What a server says of itself. */
export interface Seen extends History {
  readonly standby: boolean;
  /** The end of what it has replayed; null before the first record. */
  readonly replayed: Lsn | null;
  /** The start of the server, to the microsecond: no two servers have the same. */
  readonly startedAt: string;
}

/**
 * Asks a server whether it is a standby, and how far. The timeline is the highest that the server shows to the role: that of its last restart point, of the
 * point that a recovery has to reach, and of what it receives, which only a role with pg_read_all_stats may see. The first two follow a promotion of its
 * primary late.
 */
export async function readSeen(pool: Pool): Promise<Seen> {
  const { rows } = await pool.query(
    `SELECT pg_is_in_recovery() AS standby, (SELECT system_identifier::text FROM pg_control_system()) AS system,
       greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
         (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline,
       (pg_last_wal_replay_lsn() - '0/0')::text AS replayed, pg_postmaster_start_time()::text AS "startedAt"`,
  );
  return seen.parse(rows[0]);
}

/** Which server a connection leads to. */
export const whichServer = 'SELECT pg_postmaster_start_time()::text AS "startedAt"';
