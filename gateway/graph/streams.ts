import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { Context } from '../../shared/kernel/context.js';
import { placedAs } from '../../shared/kernel/stream-place.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { failure } from '../../shared/graphql/mask.js';

/** Maps the results of a stream one by one; each keeps its place. `return` reaches the source immediately. */
export function mapResults(
  source: GraphResultStream,
  map: (result: GraphResult) => Promise<GraphResult>,
  context: Context,
): GraphResultStream {
  const next = async () => {
    const { done, value } = await source.next();
    if (done === true) return finished;
    try {
      return { done: false, value: placedAs(value, await map(value)) } as const;
    } catch (error) {
      return { done: false, value: failure(error, context) } as const;
    }
  };
  return placedAs(
    source,
    asyncIterator<GraphResult>(next, () => source.return?.()),
  );
}
