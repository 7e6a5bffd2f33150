import type DataLoader from 'dataloader';
import type { Context } from '../context.js';
import type { Lsn } from './lsn.js';
import { publishedReads } from './metrics.js';
import type { RecentWriters } from './recent-writers.js';
import type { Replicas } from './replicas.js';

/** Where one caller's reads of published data go. Without it in a context, they go to the primary like all others. */
export interface PublishedReads {
  /** The position that a node must have replayed for this caller; undefined where the caller named none. */
  readonly since: Lsn | undefined;
  /** Returns the reads of a caller who has seen a position. */
  after(since: Lsn | undefined): PublishedReads;
  /** Returns the reads of one operation, all of which go to the node that the first of them gets. */
  ofOperation(): PublishedReads;
  /** Returns the context for the reads of an operation: with a replica's manager, or unchanged where they go to the primary. */
  contextFor(context: Context): Promise<Context>;
}

export interface PublishedReadsParts {
  readonly replicas: Pick<Replicas, 'pick'>;
  readonly writers: RecentWriters;
}

/**
 * Creates the choice of a node. A caller who names the position that it has seen reads from a replica that has it. One who does not reads from the primary
 * for as long as a replica may lack what it has written. Nobody ever waits for a replica.
 */
export function createPublishedReads(parts: PublishedReadsParts, since?: Lsn): PublishedReads {
  const choose = async ({ principal }: Context) => {
    const mustBeSeen = since === undefined && (await parts.writers.wroteLately(principal));
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
