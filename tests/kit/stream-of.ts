import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { Bus } from '../../shared/events/bus.js';
import { ApiError } from '../../shared/kernel/errors.js';

/**
 * Returns the events of a topic as an async iterator with a bounded queue. A reader that falls `limit` events behind gets an error and has to
 * subscribe again: memory stays bounded and nothing is dropped silently. The subscription is active when the promise resolves, so a read made after that
 * cannot miss an event.
 */
export async function streamOf(bus: Bus, topic: string, limit = 256): Promise<AsyncIterableIterator<unknown>> {
  const queue: unknown[] = [];
  const waiting: ((result: IteratorResult<unknown, undefined>) => void)[] = [];
  let ended: Error | 'done' | undefined;
  const stop = await bus.listen(topic, (payload) => {
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

function behind(limit: number): ApiError {
  return new ApiError('UNAVAILABLE', { message: `The reader fell more than ${limit} events behind: subscribe again` });
}
