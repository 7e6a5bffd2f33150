import { asyncIterator, finished } from './async-iterator.js';
import { ApiError } from './errors.js';

/** What is told at once, under each of its topics. */
export interface BusMessage {
  readonly topics: readonly string[];
  readonly payload: unknown;
}

/**
 * Where committed events are told to whoever listens now; nothing is kept for those who do not. Best effort: publishing never
 * rejects and never waits long, and what is needed for correctness must not depend on it.
 */
export interface Bus {
  publish(topic: string, payload: unknown): Promise<void>;
  /** Publishes several messages in their order, in one go. */
  publishAll(messages: readonly BusMessage[]): Promise<void>;
  /** Listens to a topic; resolves once listening has begun, or as much of it as is possible now, with the way to stop. */
  listen(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A bus within this process. */
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
 * The events of a topic, or of several, as an async iterator with a bounded queue. A reader that falls `limit` events behind gets an
 * error and has to come back: memory stays bounded and nothing is dropped in silence. Listening has begun when the
 * promise resolves, so what is read afterwards cannot have been missed.
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

/** Listens to topics, to all of them or to none. */
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
  return new ApiError('UNAVAILABLE', { message: `The reader fell more than ${limit} events behind: begin again` });
}

/** A stream whose events are turned into something else, or left out where `map` answers undefined. */
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
