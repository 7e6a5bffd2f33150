import { asyncIterator, finished } from './async-iterator.js';
import { ApiError } from './errors.js';

/** A payload that is published under several topics at once. */
export interface BusMessage {
  readonly topics: readonly string[];
  readonly payload: unknown;
}

/**
 * Publishes committed events to the current listeners; nothing is stored for later ones. Best effort: publishing never rejects and never blocks for
 * long, so correctness must not depend on it.
 */
export interface Bus {
  publish(topic: string, payload: unknown): Promise<void>;
  /** Publishes several messages, in order, in one call. */
  publishAll(messages: readonly BusMessage[]): Promise<void>;
  /** Subscribes to a topic. Resolves with the function that unsubscribes, once the subscription is active or as far as it can be at the moment. */
  listen(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Creates a bus within this process. */
export function createLocalBus(): Bus {
  const topics = new Map<string, Set<(payload: unknown) => void>>();
  const publishAll = (messages: readonly BusMessage[]) => {
    for (const { topics: told, payload } of messages) {
      for (const topic of told) for (const listener of topics.get(topic) ?? []) listener(payload);
    }
    return Promise.resolve();
  };
  return {
    publishAll,
    publish: (topic, payload) => publishAll([{ topics: [topic], payload }]),
    listen: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return Promise.resolve(() => {
        listeners.delete(listener);
        if (listeners.size === 0) topics.delete(topic);
        return Promise.resolve();
      });
    },
    close: () => {
      topics.clear();
      return Promise.resolve();
    },
  };
}

/**
 * Returns the events of one or more topics as an async iterator with a bounded queue. A reader that falls `limit` events behind gets an error and has to
 * subscribe again: memory stays bounded and nothing is dropped silently. The subscription is active when the promise resolves, so a read made after that
 * cannot miss an event.
 */
export async function streamOf(
  bus: Bus,
  topics: string | readonly string[],
  limit = 256,
): Promise<AsyncIterableIterator<unknown>> {
  const queue: unknown[] = [];
  const waiting: ((result: IteratorResult<unknown, undefined>) => void)[] = [];
  let ended: Error | 'done' | undefined;
  const stop = await listenAll(bus, [topics].flat(), (payload) => {
    if (ended !== undefined) return;
    const reader = waiting.shift();
    if (reader !== undefined) reader({ done: false, value: payload });
    else if (queue.length < limit) queue.push(payload);
    else void end(behind(limit));
  });
  const end = async (how: Error | 'done'): Promise<void> => {
    if (ended !== undefined) return;
    ended = how;
    for (const reader of waiting.splice(0)) reader(finished);
    await stop();
  };
  const next = (): Promise<IteratorResult<unknown, undefined>> => {
    if (queue.length > 0) return Promise.resolve({ done: false, value: queue.shift() });
    if (ended instanceof Error) return Promise.reject(ended);
    if (ended === 'done') return Promise.resolve(finished);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return asyncIterator(next, () => {
    queue.length = 0;
    return end('done');
  });
}

/** Subscribes to all topics, or to none when one of them fails. */
async function listenAll(
  bus: Bus,
  topics: readonly string[],
  listener: (payload: unknown) => void,
): Promise<() => Promise<void>> {
  const begun = await Promise.allSettled(topics.map((topic) => bus.listen(topic, listener)));
  const stops = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stopAll = async () => {
    for (const stop of stops) await stop();
  };
  const failed = begun.find((one) => one.status === 'rejected');
  if (failed === undefined) return stopAll;
  await stopAll();
  throw failed.reason;
}

function behind(limit: number): ApiError {
  return new ApiError('UNAVAILABLE', { message: `The reader fell more than ${limit} events behind: subscribe again` });
}

/** Maps the events of a stream; leaves out those for which `map` returns undefined. */
export function mapStream<T>(
  source: AsyncIterableIterator<unknown>,
  map: (event: unknown) => T | undefined | Promise<T | undefined>,
): AsyncIterableIterator<T> {
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    for (;;) {
      const event = await source.next();
      if (event.done === true) return finished;
      const mapped = await map(event.value);
      if (mapped !== undefined) return { done: false, value: mapped };
    }
  };
  return asyncIterator(next, () => source.return?.());
}
