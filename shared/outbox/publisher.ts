import type { Context } from '../context.js';
import { inTransaction } from '../database/transaction.js';
import { errorType } from '../tracing/span-of.js';
import type { Span } from '../tracing/span.js';
import { under } from '../tracing/under.js';
import { publishedTopic, type Consumer, type PublishedEvent } from './outbox.js';
import { claim, isAnyDue, markPublished, putOff, waitingIds } from './relay.store.js';

/** An error thrown by a consumer, as opposed to one of the database or the program. */
class ConsumerError extends Error {}

export interface Publisher {
  /** Publishes all pending events and returns how many there were. @throws the error of a consumer; its batch stays pending */
  readonly drain: () => Promise<number>;
  /** The same, but postpones the events on which a consumer fails. */
  readonly drainAroundFaults: () => Promise<number>;
}

/** Delivers events to consumers in batches, marks them published, and after the commit wakes those who follow the feed. */
export function createPublisher(context: Context, consumers: readonly Consumer[], batchSize: number): Publisher {
  const consumeIn = async (tx: Context, events: readonly PublishedEvent[]) => {
    for (const consumer of consumers) {
      await consumer(tx, events).catch((cause: unknown) => {
        throw new ConsumerError(cause instanceof Error ? cause.message : 'A consumer failed', { cause });
      });
    }
    await markPublished(tx, events);
  };

  const consume = async (take: (tx: Context) => Promise<PublishedEvent[]>) => {
    const relaying: { span?: Span | undefined } = {};
    try {
      const consumed = await inTransaction(context, async (tx) => {
        const events = await take(tx);
        if (events.length === 0) return events;
        const span = beginRelaying(tx, events);
        relaying.span = span;
        await consumeIn(span === undefined ? tx : under(tx, span), events);
        return events;
      });
      relaying.span?.end();
      return consumed;
    } catch (error) {
      relaying.span?.end(errorType(error));
      throw error;
    }
  };

  const publish = async (take: (tx: Context) => Promise<PublishedEvent[]>) => {
    const events = await consume(take);
    if (events.some(({ internal }) => internal !== true)) await context.bus.publish(publishedTopic, null);
    return events.length;
  };

  const drain = async () => {
    let total = 0;
    // Outside of a transaction: mostly nothing is due.
    while (await isAnyDue(context)) {
      const published = await publish((tx) => claim(tx, { limit: batchSize }));
      if (published === 0) break;
      total += published;
    }
    return total;
  };

  /** Publishes the next batch event by event and postpones the events on which a consumer fails. */
  const sift = async () => {
    for (const id of await waitingIds(context, batchSize)) {
      try {
        await publish((tx) => claim(tx, { limit: 1, id }));
      } catch (error) {
        if (!(error instanceof ConsumerError)) throw error;
        const { topic, failures } = await putOff(context, id);
        context.log.error(
          { err: error.cause, eventId: id, topic, failures },
          'An event is postponed: a consumer failed',
        );
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

/** Begins the span of a batch, linked to the requests that announced its events; undefined where none of these is recorded. */
function beginRelaying({ tracer }: Context, events: readonly PublishedEvent[]): Span | undefined {
  if (tracer === undefined) return undefined;
  const causes = events.map(({ traceparent }) => traceparent);
  const attributes = { 'messaging.batch.message_count': events.length };
  return tracer.beginAfter('outbox relay', causes, { kind: 'consumer', attributes });
}
