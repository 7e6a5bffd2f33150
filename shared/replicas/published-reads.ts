import type DataLoader from 'dataloader';
import type { Context, PublishedReads } from '../context.js';
import type { Lsn } from './lsn.js';
import { publishedReads } from './metrics.js';
import type { RecentWriters } from './recent-writers.js';
import type { Replicas } from './replicas.js';

export interface PublishedReadsParts {
  readonly replicas: Pick<Replicas, 'pick'>;
  readonly writers: RecentWriters;
}

/**
 * Creates the choice of a node. A caller whose owner has written lately reads from the primary for as long as a replica may lack that; one who names the
 * position that it has seen reads from a replica that has it. Nobody ever waits for a replica.
 */
export function createPublishedReads(parts: PublishedReadsParts, since?: Lsn): PublishedReads {
  const choose = async ({ principal }: Context) => {
    // Even with a position: the owner may have written again since, by another of its clients.
    const mustBeSeen = await parts.writers.wroteLately(principal);
    const manager = mustBeSeen ? undefined : parts.replicas.pick(since);
    publishedReads.inc({ node: manager === undefined ? 'primary' : 'replica' });
    return manager;
  };
  const ofOperation = (): PublishedReads => {
    // What was loaded from the primary stays apart from what a replica shows.
    const loaders = new Map<unknown, DataLoader<never, unknown>>();
    const contexts = new WeakMap<Context, Context>();
    let choice: ReturnType<typeof choose> | undefined;
    const own: PublishedReads = {
      since,
      after: (position) => createPublishedReads(parts, position),
      ofOperation: () => own,
      contextFor: async (context) => {
        const manager = await (choice ??= choose(context));
        if (manager === undefined || manager === context.manager) return context;
        // One and the same for all parts of the operation, which count what they read by it.
        const known = contexts.get(context) ?? { ...context, manager, loaders };
        contexts.set(context, known);
        return known;
      },
    };
    return own;
  };
  return {
    since,
    after: (position) => createPublishedReads(parts, position),
    ofOperation,
    contextFor: (context) => ofOperation().contextFor(context),
  };
}
