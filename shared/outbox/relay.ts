import type { Context } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import type { PublishedEvent } from './outbox.js';

/** Turns an event into rows of its own (deliveries, assets) in the relay's transaction. Must be idempotent by event id. */
export type Consumer = (tx: Context, events: readonly PublishedEvent[]) => Promise<void>;

export interface Relay {
  /** Publishes what waits now, and answers how many events that was. */
  drain(): Promise<number>;
  /** Looks for events until stopped, at least every `pollMs`. */
  start(): void;
  /** Looks again at once: for whoever has just committed an event in this process. */
  wake(): void;
  /** Stops looking, after the batch under way. */
  stop(): Promise<void>;
}

export interface RelayOptions {
  readonly consumers?: readonly Consumer[];
  readonly batchSize?: number;
  readonly pollMs?: number;
}

/**
 * Where a batch ends, however few its events: the sum of their payloads in bytes as they are stored, which is compressed. What a
 * batch holds is parsed at once, and nothing else runs meanwhile.
 */
const batchBytes = 100_000;

/**
 * Takes committed events out of the outbox in batches, each in the order in which its events were written, and hands them to
 * consumers and bus; internal ones to consumers alone. Any number of relays share the work (`SKIP LOCKED`), and may overtake
 * each other. An event is marked in the transaction that consumed it; the bus hears of it before, so that a crash between the
 * two repeats an event and never loses one.
 */
export function createRelay(context: Context, options: RelayOptions = {}): Relay {
  const { consumers = [], batchSize = 200, pollMs = 250 } = options;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let stopped = false;

  const publishBatch = () =>
    inTransaction(context, async (tx) => {
      const events = await claim(tx, batchSize);
      if (events.length === 0) return 0;
      for (const consume of consumers) await consume(tx, events);
      for (const event of events) {
        if (event.internal === true) continue;
        await context.bus.publish(event.topic, event);
        await context.bus.publish(`${event.topic}:${event.key}`, event);
      }
      await tx.manager.query('UPDATE shared.outbox SET published_at = $2 WHERE id = ANY ($1::uuid[])', [
        events.map((event) => event.id),
        context.clock.now(),
      ]);
      return events.length;
    });

  const drain = async () => {
    let total = 0;
    for (;;) {
      const published = await publishBatch();
      total += published;
      if (published === 0) return total;
    }
  };

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async () => {
    let failures = 0;
    for (;;) {
      try {
        await drain();
        if (failures > 0) context.log.info({ failures }, 'The relay publishes again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) context.log.error({ err: error }, 'The relay could not publish; it goes on trying');
      }
      if (stopped) return;
      await rest(pollMs * 2 ** Math.min(failures, 5));
    }
  };

  return {
    drain,
    start: () => {
      running ??= loop();
    },
    wake: () => wake?.(),
    stop: async () => {
      stopped = true;
      wake?.();
      await running;
    },
  };
}

async function claim(tx: Context, batchSize: number): Promise<PublishedEvent[]> {
  const rows: Claimed[] = await tx.manager.query(
    `WITH waiting AS (
       SELECT position, pg_column_size(payload) AS bytes FROM shared.outbox
       WHERE published_at IS NULL ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED
     ), placed AS (
       SELECT position, sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before FROM waiting
     )
     SELECT id, topic, key, payload, internal, created_at FROM shared.outbox JOIN placed USING (position)
     WHERE bytes_before < $2 ORDER BY position`,
    [batchSize, batchBytes],
  );
  return rows.map(({ created_at, internal, ...event }) => ({
    ...event,
    createdAt: created_at.toISOString(),
    ...(internal ? { internal } : {}),
  }));
}

interface Claimed extends Omit<PublishedEvent, 'createdAt' | 'internal'> {
  readonly internal: boolean;
  readonly created_at: Date;
}

/** Seconds that the oldest waiting event has waited; 0 when none waits. */
export async function outboxLagSeconds(context: Context): Promise<number> {
  const [row]: { oldest: Date | null }[] = await context.manager.query(
    'SELECT min(created_at) AS oldest FROM shared.outbox WHERE published_at IS NULL',
  );
  if (row?.oldest == null) return 0;
  return Math.max(0, (context.clock.now().getTime() - row.oldest.getTime()) / 1000);
}
