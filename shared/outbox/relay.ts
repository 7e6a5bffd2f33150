import type { Context } from '../context.js';
import type { Consumer } from './outbox.js';
import { createPublisher } from './publisher.js';

export interface Relay {
  /** Publishes what waits now, and answers how many events that was. @throws what a consumer throws; the batch then waits on. */
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
 * Takes committed events out of the outbox in batches, each in the order in which its events were written, and hands them to
 * consumers and bus; internal ones to consumers alone. Any number of relays share the work (`SKIP LOCKED`), and may overtake
 * each other. An event is marked in the transaction that consumed it: consumers get it exactly once. The bus hears of it
 * afterwards, best effort: a crash between the two, or a Redis that is away, costs live readers that news.
 *
 * When a consumer fails, a started relay hands over the events of the batch one by one and puts off those that fail alone, by a
 * second at first and by five minutes in the end: they are never given up, and hold no other event up.
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
        if (failures === 1) context.log.error({ err: error }, 'The relay could not publish; it goes on trying');
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
