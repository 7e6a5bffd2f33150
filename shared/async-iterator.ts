/** The result of `next` when there is no more. */
export const finished: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Makes an async iterator of its two functions.
 * @param next finds the next value
 * @param end releases what the values come from; a reader that wants no more calls it, maybe while it still waits for `next`
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

/** Runs `work` as often as it is called, one run at a time: each begins when the one before has ended, however that ended. */
export function serialized<T>(work: () => Promise<T>): () => Promise<T> {
  let previous: Promise<unknown> = Promise.resolve();
  return () => {
    const next = previous.then(work, work);
    previous = next;
    return next;
  };
}
