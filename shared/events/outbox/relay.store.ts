import type { Context } from '../../kernel/context.js';
import type { WatchedQueue } from '../../work/queue/watched-queue.js';
import type { PublishedEvent } from './outbox.js';

/** Bytes of stored (compressed) payloads at which a batch ends: they are parsed in one go, which blocks the process. */
const batchBytes = 100_000;

const due = '(published_at IS NULL AND (retry_at IS NULL OR retry_at <= $1))';

/** Whether any event is due, whether or not another relay has locked it. In their order, so that the index of those that wait is read, and not the table. */
export async function isAnyDue({ manager, clock }: Context): Promise<boolean> {
  const first = `SELECT true FROM shared.outbox WHERE ${due} ORDER BY position LIMIT 1`;
  return (await manager.value<boolean>(first, [clock.now()])) === true;
}

/** Locks the next due events, in order; with an `id`, only that event if it is still due. */
export async function claim(tx: Context, { limit, id }: { limit: number; id?: string }): Promise<PublishedEvent[]> {
  const rows = await tx.manager.rows<Claimed>(
    `WITH waiting AS (
       SELECT position, pg_column_size(payload) AS bytes FROM shared.outbox
       WHERE ${due} AND ($4::uuid IS NULL OR id = $4) ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED
     ), placed AS (
       SELECT position, sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before FROM waiting
     )
     SELECT id, position, topic, key, payload, internal, created_at, traceparent FROM shared.outbox JOIN placed USING (position)
     WHERE bytes_before < $3 ORDER BY position`,
    [tx.clock.now(), limit, batchBytes, id ?? null],
  );
  return rows.map(({ position, created_at, internal, traceparent, ...event }) => ({
    ...event,
    sequence: Number(position),
    createdAt: created_at.toISOString(),
    ...(internal ? { internal } : {}),
    ...(traceparent === null ? {} : { traceparent }),
  }));
}

/** Numbers events that are not internal in the feed, as written. Must be the last statement: the head stays locked to the commit, for their order. */
export async function markPublished(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  await tx.manager.execute(
    `WITH shown AS (
       SELECT id, row_number() OVER (ORDER BY position) AS nth FROM shared.outbox WHERE id = ANY ($1::uuid[]) AND NOT internal
     ), head AS (
       UPDATE shared.outbox_head SET last = last + (SELECT count(*) FROM shown) WHERE EXISTS (SELECT FROM shown)
       RETURNING last - (SELECT count(*) FROM shown) AS before
     )
     UPDATE shared.outbox SET published_at = $2, feed_position = (SELECT before + nth FROM head, shown WHERE shown.id = outbox.id)
     WHERE id = ANY ($1::uuid[])`,
    [events.map(({ id }) => id), tx.clock.now()],
  );
}

interface Claimed extends Omit<PublishedEvent, 'sequence' | 'createdAt' | 'internal' | 'traceparent'> {
  readonly position: string;
  readonly traceparent: string | null;
  readonly internal: boolean;
  readonly created_at: Date;
}

/** Returns the ids of the next due events, in order, whether or not another relay has locked them. */
export async function waitingIds(context: Context, limit: number): Promise<string[]> {
  const rows = await context.manager.rows<{ id: string }>(
    `SELECT id FROM shared.outbox WHERE ${due} ORDER BY position LIMIT $2`,
    [context.clock.now(), limit],
  );
  return rows.map(({ id }) => id);
}

/** Postpones an event: by one second, doubling each time up to five minutes. */
export async function putOff(context: Context, id: string): Promise<{ topic: string; failures: number }> {
  const rows = await context.manager.rows<{ topic: string; failures: number }>(
    `UPDATE shared.outbox SET failures = failures + 1,
       retry_at = $2::timestamptz + least(interval '1 second' * 2 ^ least(failures, 20), interval '5 minutes')
     WHERE id = $1 RETURNING topic, failures`,
    [id, context.clock.now()],
  );
  return rows[0] ?? { topic: 'unknown', failures: 0 };
}

/** Returns the age of the oldest pending event in seconds; 0 when none is pending. */
export async function outboxLagSeconds(context: Context): Promise<number> {
  const row = await context.manager.row<{ oldest: Date | null }>(
    'SELECT min(created_at) AS oldest FROM shared.outbox WHERE published_at IS NULL',
  );
  if (row?.oldest == null) return 0;
  return Math.max(0, (context.clock.now().getTime() - row.oldest.getTime()) / 1000);
}

/** Returns how many events are pending because a consumer failed on them. */
export async function countPutOff(context: Context): Promise<number> {
  const row = await context.manager.row<{ count: number }>(
    'SELECT count(*)::integer AS count FROM shared.outbox WHERE published_at IS NULL AND failures > 0',
  );
  return row?.count ?? 0;
}

/** Returns the events of a topic that no relay has delivered, for the demo, which takes them before one runs: delivered again they change nothing. */
export async function undelivered({ manager }: Context, topic: string): Promise<PublishedEvent[]> {
  const rows = await manager.rows<Omit<PublishedEvent, 'sequence'> & { readonly position: string }>(
    `SELECT id, topic, key, payload, position, created_at::text AS "createdAt" FROM shared.outbox
     WHERE topic = $1 AND published_at IS NULL ORDER BY position`,
    [topic],
  );
  return rows.map(({ position, ...event }) => ({ ...event, sequence: Number(position) }));
}

/** Events that wait for the relay. None shows as claimed, or is held back: consumers are promised every event. */
export const watchedEvents: WatchedQueue = {
  name: 'events',
  table: 'shared.outbox',
  as: 'event',
  key: 'id',
  dueAt: 'coalesce(event.retry_at, event.created_at)',
  isOpen: 'event.published_at IS NULL',
  isClaimed: 'false',
  isFailing: 'event.failures > 0',
  attempts: 'event.failures',
  lastError: 'NULL',
  retryAt: 'retry_at',
  hasUuids: true,
};
