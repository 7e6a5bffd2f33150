import DataLoader from 'dataloader';
import type { Context } from '../kernel/context.js';
import { atMost } from '../kernel/turns.js';

/** The part of the context that a shared read may use: never the caller. */
export type Reads = Pick<Context, 'manager'>;

const maxBatchSize = 1000;

/** The next statement does not wait longer than this for a slow one: its connection may never respond. */
const patienceMs = 1_000;

/**
 * Batches look-ups across requests: those during a statement share the next. Nothing is cached; results are shared objects, and nobody may change them;
 * a failure is all sharers'. A transaction shares with nobody. @param read takes distinct keys, any of them
 */
export function readTogether<V>(
  read: (reads: Reads, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (reads: Reads, key: string) => Promise<V | undefined> {
  const loaders = new WeakMap<Reads['manager'], DataLoader<string, V | undefined>>();
  return ({ manager: { original: manager } }, key) => {
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
      // All requests that arrived together are read before this runs, so they share the statement.
      batchScheduleFn: (dispatch) => void underWay.then(() => setImmediate(dispatch)),
    },
  );
}
