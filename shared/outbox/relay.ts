import type { Context } from '../context.js';
import { logFailed } from '../database/log-unavailable.js';
import type { Consumer } from './outbox.js';
import { createPublisher } from './publisher.js';

export interface Relay {
  /** Publishes all pending events and returns how many there were. @throws the error of a consumer; its batch stays pending */
  drain(): Promise<number>;
  /** Polls for events until stopped, at least every `pollMs`. */
  start(): void;
  /** Polls at once: for callers that have just committed an event in this process. */
  wake(): void;
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
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let stopped = false;

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
        await publisher.drainAroundFaults();
        if (failures > 0) context.log.info({ failures }, 'The relay publishes again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) logFailed(context.log, error, 'The relay could not publish; it keeps trying');
      }
      if (stopped) return;
      await rest(pollMs * 2 ** Math.min(failures, 5));
    }
  };

  return {
    drain: publisher.drain,
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
