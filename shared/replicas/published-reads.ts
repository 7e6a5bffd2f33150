import type DataLoader from 'dataloader';
import type { Context, PublishedReads } from '../context.js';
import type { Manager } from '../database/manager.js';
import { publishedReads } from './replica-manager.js';

/**
 * Creates the choice of a node. A caller with a credential reads from the primary: what it has changed, by whatever client, is never missing there.
 *
 * @param pick returns what reads from a replica that is current; undefined where there is none
 */
export function createPublishedReads(pick: () => Manager | undefined): PublishedReads {
  const choose = () => {
    const manager = pick();
    publishedReads.inc({ node: manager === undefined ? 'primary' : 'replica' });
    return manager;
  };
  const ofOperation = (): PublishedReads => {
    // What was loaded from the primary stays apart from what a replica shows.
    const loaders = new Map<unknown, DataLoader<never, unknown>>();
    const contexts = new WeakMap<Context, Context>();
    let choice: { readonly manager: Manager | undefined } | undefined;
    const own: PublishedReads = {
      ofOperation: () => own,
      contextFor: (context) => {
        if (context.principal.kind !== 'ANONYMOUS' && context.principal.kind !== 'WEBSITE') return context;
        const { manager } = (choice ??= { manager: choose() });
        if (manager === undefined || manager === context.manager) return context;
        // One and the same for all parts of the operation, which count what they read by it.
        const known = contexts.get(context) ?? { ...context, manager, loaders };
        contexts.set(context, known);
        return known;
      },
    };
    return own;
  };
  return { ofOperation, contextFor: (context) => ofOperation().contextFor(context) };
}
