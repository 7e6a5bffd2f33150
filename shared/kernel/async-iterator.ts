import { placedAs } from './stream-place.js';

/** The result of `next` once the iterator has ended. */
export const finished: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** @param next returns the next value @param end releases the source; a reader who stops early calls it, possibly while it waits for `next` */
export function asyncIterator<T>(
  next: () => Promise<IteratorResult<T, undefined>>,
  end: () => unknown,
): AsyncIterableIterator<T, undefined> {
  const iterator: AsyncIterableIterator<T, undefined> = {
    next,
    return: async () => {
      await end();
      return finished;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/** Returns a function that runs `work` on every call, one run at a time: each run begins when the previous one has settled. */
export function serialized<T>(work: () => Promise<T>): () => Promise<T> {
  let previous: Promise<unknown> = Promise.resolve();
  return () => {
    const next = previous.then(work, work);
    previous = next;
    return next;
  };
}

/** Maps the events of a stream; leaves out those for which `map` returns undefined. Where `map` throws, the stream ends with that error. */
export function mapStream<S, T>(
  source: AsyncIterableIterator<S>,
  map: (event: S) => T | undefined | Promise<T | undefined>,
): AsyncIterableIterator<T> {
  const mapOrEnd = async (event: S) => {
    try {
      return await map(event);
    } catch (error) {
      // Whoever reads an iterator that throws does not call `return`.
      await source.return?.();
      throw error;
    }
  };
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    for (;;) {
      const event = await source.next();
      if (event.done === true) return finished;
      const mapped = await mapOrEnd(event.value);
      if (mapped !== undefined) return { done: false, value: mapped };
    }
  };
  return placedAs(
    source,
    asyncIterator(next, () => source.return?.()),
  );
}
