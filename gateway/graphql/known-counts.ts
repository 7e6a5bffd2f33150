import { getNamedType, getNullableType, isObjectType, isRequiredArgument } from 'graphql';
import { z } from 'zod';
import type { Context } from '../../shared/context.js';
import type { Graph } from '../graph/graph.js';
import type { Prepared } from '../graph/operation.js';
import type { KnownSizes } from './cost.js';

/** Number of items that root fields of the graph have, read from their `totalCount`. */
export interface KnownCounts {
  readonly names: ReadonlySet<string>;
  /**
   * Returns the numbers of items of these fields, as far as they are known: at most a minute old. A number that is not known yet is read first,
   * with what the caller may see; an older one is read again beside the request.
   */
  of(names: readonly string[], context: Context): Promise<KnownSizes>;
}

/** Time after which a number is read again. */
const refreshMs = 60_000;

interface CountedList {
  readonly prepared: Prepared;
  count: number | undefined;
  readAt: number;
  reading: Promise<void> | undefined;
}

const resultForm = z.object({ list: z.object({ totalCount: z.int().min(0) }) });

/**
 * Prepares to count root fields that are connections.
 * @throws when the graph has no such field, or it cannot be counted
 */
export function createKnownCounts(graph: Graph, names: Iterable<string>): KnownCounts {
  const lists = new Map<string, CountedList>();
  for (const name of names) {
    const prepared = graph.prepare(countingDocument(graph, name));
    lists.set(name, { prepared, count: undefined, readAt: 0, reading: undefined });
  }
  const read = async (list: CountedList, context: Context): Promise<void> => {
    const { data } = await graph.run(list.prepared, {}, { ...context, loaders: new Map() });
    const { success, data: found } = resultForm.safeParse(data);
    // A caller who may not read the list cannot count it either; its operation is going to fail.
    if (!success) return;
    list.count = found.list.totalCount;
    list.readAt = context.clock.now().getTime();
  };
  const reading = (list: CountedList, context: Context): Promise<void> => {
    list.reading ??= read(list, context).finally(() => {
      list.reading = undefined;
    });
    return list.reading;
  };
  return {
    names: new Set(lists.keys()),
    of: async (wanted, context) => {
      const known = new Map<string, number>();
      for (const name of new Set(wanted)) {
        const list = lists.get(name);
        if (list === undefined) continue;
        if (list.count === undefined) await reading(list, context);
        else if (context.clock.now().getTime() - list.readAt > refreshMs) void reading(list, context);
        if (list.count !== undefined) known.set(name, list.count);
      }
      return known;
    },
  };
}

function countingDocument({ apiSchema }: Graph, name: string): string {
  const field = apiSchema.getQueryType()?.getFields()[name];
  const type = field && getNamedType(getNullableType(field.type));
  if (
    !isObjectType(type) ||
    type.getFields()['totalCount'] === undefined ||
    field?.args.some(isRequiredArgument) !== false
  )
    throw new Error(
      `The list ${name} cannot be counted: it must be a connection with totalCount and without required arguments`,
    );
  const size = field.args.some((argument) => argument.name === 'first') ? '(first: 1)' : '';
  return `{ list: ${name}${size} { totalCount } }`;
}
