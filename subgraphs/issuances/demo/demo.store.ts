import type { PublishedEvent } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';

export interface Begun {
  /** Whether there are operations, and whether they are those of the demo. */
  readonly isThere: boolean;
  readonly isDemo: boolean;
  readonly isWhole: boolean;
}

export function findBegun({ manager }: Context): Promise<Begun> {
  return manager.one(
    `SELECT EXISTS (SELECT FROM issuances.operations) AS "isThere", EXISTS (SELECT FROM issuances.operations WHERE ticker = 'CRI-AURORA') AS "isDemo",
       EXISTS (SELECT FROM issuances.complete_months) AS "isWhole"`,
  );
}

/** Returns the books that tokenization announced and the relay has not delivered yet. It delivers them again, which changes nothing. */
export async function announcedBooks({ manager }: Context): Promise<PublishedEvent[]> {
  const rows = await manager.rows<Omit<PublishedEvent, 'sequence'> & { readonly position: string }>(
    `SELECT id, topic, key, payload, position, created_at::text AS "createdAt" FROM shared.outbox
     WHERE topic = 'tranche.booked' AND published_at IS NULL ORDER BY position`,
  );
  return rows.map(({ position, ...event }) => ({ ...event, sequence: Number(position) }));
}
