import { asyncIterator, finished } from '../../shared/async-iterator.js';
import type { Bus } from '../../shared/bus.js';
import { ApiError } from '../../shared/errors.js';

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
