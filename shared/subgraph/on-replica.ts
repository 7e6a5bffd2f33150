import type { Context } from '../context.js';

/** Returns the context in which published data is read: from a replica where there is a current one. */
export function onReplica(context: Context): Context | Promise<Context> {
  return context.published === undefined ? context : context.published.contextFor(context);
}
