import type { Context } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import type { Consumer, PublishedEvent } from './outbox.js';
import { claim, putOff, waitingIds } from './relay.store.js';

/** What a consumer threw: an error of an event, where everything else that goes wrong is one of the house. */
class ConsumerError extends Error {}

export interface Publisher {
  /** Publishes what waits now, and answers how many events that was. @throws what a consumer throws; its batch then waits on. */
  readonly drain: () => Promise<number>;
  /** The same, but that the events on which a consumer fails are put off. */
  readonly drainAroundFaults: () => Promise<number>;
}

/** Hands events to consumers, in batches, and marks them published; once that is committed, tells the bus. */
export function createPublisher(context: Context, consumers: readonly Consumer[], batchSize: number): Publisher {
  const consume = (take: (tx: Context) => Promise<PublishedEvent[]>) =>
    inTransaction(context, async (tx) => {
      const events = await take(tx);
      if (events.length === 0) return events;
      for (const consumer of consumers) {
        await consumer(tx, events).catch((cause: unknown) => {
          throw new ConsumerError(cause instanceof Error ? cause.message : 'A consumer failed', { cause });
        });
      }
      await tx.manager.query('UPDATE shared.outbox SET published_at = $2 WHERE id = ANY ($1::uuid[])', [
        events.map((event) => event.id),
        context.clock.now(),
      ]);
      return events;
    });

  const publish = async (take: (tx: Context) => Promise<PublishedEvent[]>) => {
    const events = await consume(take);
    const told = events.filter(({ internal }) => internal !== true);
    await context.bus.publishAll(
      told.map((event) => ({ topics: [event.topic, `${event.topic}:${event.key}`], payload: event })),
    );
    return events.length;
  };

  const drain = async () => {
    let total = 0;
    for (;;) {
      const published = await publish((tx) => claim(tx, { limit: batchSize }));
      total += published;
      if (published === 0) return total;
    }
  };

  /** Publishes the next batch event by event, and puts off the events that a consumer fails on. */
  const sift = async () => {
    for (const id of await waitingIds(context, batchSize)) {
      try {
        await publish((tx) => claim(tx, { limit: 1, id }));
      } catch (error) {
        if (!(error instanceof ConsumerError)) throw error;
        const { topic, failures } = await putOff(context, id);
        context.log.error({ err: error.cause, eventId: id, topic, failures }, 'An event is put off: a consumer failed');
      }
    }
  };

  const drainAroundFaults = async () => {
    for (;;) {
      try {
        return await drain();
      } catch (error) {
        if (!(error instanceof ConsumerError)) throw error;
        await sift();
      }
    }
  };

  return { drain, drainAroundFaults };
}
