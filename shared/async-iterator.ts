/** The result of `next` once the iterator has ended. */
export const finished: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Creates an async iterator from two functions.
 * @param next returns the next value
 * @param end releases the source of the values; a reader calls it when it stops early, possibly while it still waits for `next`
 */
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
