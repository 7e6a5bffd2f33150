import DataLoader from 'dataloader';
import type { Context } from '../context.js';

/** What a read for many callers may know: never who they are. */
export type Reads = Pick<Context, 'manager'>;

/** Keys that one statement takes at most. */
const maxBatchSize = 1000;

/** A statement that takes longer is not waited for by the next: its connection may never answer. */
const patienceMs = 1_000;

/**
 * Look-ups by key of many requests in one statement: whoever asks while one is under way shares the next, so that under load
 * each costs a row and not a round trip. Nothing is kept, so an answer was always read after it was asked for. Who asks for the same key gets
 * the same object, which nobody may change; a statement that fails fails for all who share it. A transaction shares with nobody: what is
 * read through its manager is read inside of it.
 *
 * @param read finds what there is by key; the keys are distinct, and it must be able to take each of them
 */
export function readTogether<V>(
  read: (reads: Reads, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (reads: Reads, key: string) => Promise<V | undefined> {
  const loaders = new WeakMap<Reads['manager'], DataLoader<string, V | undefined>>();
  return ({ manager }, key) => {
    let loader = loaders.get(manager);
    if (loader === undefined) {
      loader = oneAfterAnother((keys) => read({ manager }, keys));
      loaders.set(manager, loader);
    }
    return loader.load(key);
  };
}

function oneAfterAnother<V>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): DataLoader<string, V | undefined> {
  let underWay: Promise<unknown> = Promise.resolve();
  return new DataLoader<string, V | undefined>(
    async (keys) => {
      const reading = read([...new Set(keys)]);
      underWay = atMost(patienceMs, reading);
      const found = await reading;
      return keys.map((key) => found.get(key));
    },
    {
      cache: false,
      maxBatchSize,
      // Requests that arrived together are all read before this: they share the statement too.
      batchScheduleFn: (dispatch) => void underWay.then(() => setImmediate(dispatch)),
    },
  );
}

/** Ends with `work`, however that ends, or after a time. */
function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
