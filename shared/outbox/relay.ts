import type { Context } from '../context.js';
import { logFailed } from '../database/log-unavailable.js';
import { createPace } from '../pace.js';
import { announcedTopic, type Consumer } from './outbox.js';
import { createPublisher } from './publisher.js';

export interface Relay {
  /** Publishes all pending events and returns how many there were. @throws the error of a consumer; its batch stays pending */
  drain(): Promise<number>;
  /** Publishes until stopped what is announced, at most `pollMs` later; where nothing is announced, it looks every four `pollMs`. */
  start(): void;
  /** Stops polling after the current batch. */
  stop(): Promise<void>;
}

export interface RelayOptions {
  readonly consumers?: readonly Consumer[];
  readonly batchSize?: number;
  readonly pollMs?: number;
}

/**
 * Takes committed events out of the outbox in batches, each in the order in which its events were written, and delivers them to consumers. Any number of
 * relays share the work (`SKIP LOCKED`) and may overtake each other. An event is marked in the transaction that consumed it: consumers receive
 * it exactly once. Events that are not internal are numbered in that transaction too, and subscribers read them by number (`event-feed.ts`); the bus
 * only wakes them.
 *
 * When a consumer fails, a started relay delivers the events of the batch one by one and postpones those that fail alone, by one second at first and by
 * at most five minutes: they are never given up, and do not hold up other events.
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
        if ((await publisher.drainAroundFaults()) > 0) restMs = pollMs;
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
