import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, under } from '../../kernel/context.js';
import { logFailed } from '../../database/log-unavailable.js';
import { createPace } from '../../work/pace.js';
import { announcedTopic, type Consumer, publishedTopic, type PublishedEvent } from './outbox.js';
import { inTransaction } from '../../database/transaction.js';
import { type Span, errorType } from '../../kernel/tracing/span.js';
import { claim, isAnyDue, markPublished, putOff, waitingIds, countPutOff, outboxLagSeconds } from './relay.store.js';
import type { DatabaseGauge } from '../../kernel/metrics.js';

export interface Relay {
  /** Publishes all pending events and returns how many there were. @throws the error of a consumer; its batch stays pending */
  drain(): Promise<number>;
  /** Publishes until stopped what is announced, at most `pollMs` later; where nothing is announced, it looks every four `pollMs`. */
  start(): void;
  stop(): Promise<void>;
}

/** A batch that takes longer is not waited for: a started relay takes what is announced meanwhile beside it. */
const patienceMs = 100;

export interface RelayOptions {
  readonly consumers?: readonly Consumer[];
  readonly batchSize?: number;
  readonly pollMs?: number;
}

/**
 * Takes committed events out of the outbox in batches, each in the order in which its events were written, and delivers them to consumers. Any number of
 * relays share the work (`SKIP LOCKED`) and may overtake each other. An event is marked in the transaction that consumed it: consumers receive it
 * exactly once. Events that are not internal are numbered in that transaction too, and subscribers read them by number (`event-feed.ts`); the bus only
 * wakes them. When a consumer fails, a started relay delivers the events of the batch one by one and postpones each event that fails by itself, by one
 * second at first and by at most five minutes: it is never given up, and does not hold up other events.
 */
export function createRelay(context: Context, options: RelayOptions = {}): Relay {
  const { consumers = [], batchSize = 200, pollMs = 250 } = options;
  const publisher = createPublisher(context, consumers, batchSize);
  const stopped = new AbortController();
  const pace = createPace(stopped.signal);
  let running: Promise<void> | undefined;

  const loop = async () => {
    const stopListening = await context.bus.listen(announcedTopic, pace.wake);
    let failures = 0;
    for (;;) {
      let restMs = pollMs * 4;
      try {
        if ((await publishBeside(publisher.drainAroundFaults)) > 0) restMs = pollMs;
        if (failures > 0) context.log.info({ failures }, 'The relay publishes again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) logFailed(context.log, error, 'The relay could not publish; it keeps trying');
      }
      if (stopped.signal.aborted) break;
      const backoffMs = pollMs * 2 ** Math.min(failures, 5);
      await pace.rest(backoffMs, Math.max(restMs, backoffMs));
    }
    await stopListening();
  };

  return {
    drain: publisher.drain,
    start: () => {
      running ??= loop();
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function publishBeside(publish: () => Promise<number>): Promise<number> {
  const over = new AbortController();
  const beside = async () => {
    let total = 0;
    for (;;) {
      await sleep(patienceMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return total;
      total += await publish();
    }
  };
  const [first, second] = await Promise.allSettled([publish().finally(() => over.abort()), beside()]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return first.value + second.value;
}

/** An error thrown by a consumer, as opposed to one of the database or the program. */
class ConsumerError extends Error {}

export interface Publisher {
  /** Publishes all pending events and returns how many there were. @throws the error of a consumer; its batch stays pending */
  readonly drain: () => Promise<number>;
  /** The same, but postpones the events on which a consumer fails. */
  readonly drainAroundFaults: () => Promise<number>;
}

/** Delivers events to consumers in batches, marks them published, and after the commit wakes those who follow the feed. */
function createPublisher(context: Context, consumers: readonly Consumer[], batchSize: number): Publisher {
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

/** Grows while the relay does not keep up, or does not run. */
export const outboxLag: DatabaseGauge = {
  name: 'outbox_lag_seconds',
  help: 'Age of the oldest unpublished event.',
  read: outboxLagSeconds,
};

export const putOffEvents: DatabaseGauge = {
  name: 'outbox_put_off_events',
  help: 'Events that wait to be retried because a consumer failed; the log has the reason.',
  read: countPutOff,
};
