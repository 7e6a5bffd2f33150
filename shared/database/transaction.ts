import type { Context } from '../context.js';

/**
 * The one way into a transaction. `work` gets a context whose manager is that transaction's; nothing else may be used
 * inside. Within a transaction already under way it becomes a savepoint of it.
 */
export async function inTransaction<T>(context: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const outer = context.onCommit;
  const onCommit: (() => void)[] = [];
  const result = await context.manager.transaction((manager) =>
    work({ ...context, manager, onCommit, loaders: new Map() }),
  );
  if (outer === undefined) for (const act of onCommit) act();
  else outer.push(...onCommit);
  return result;
}

/** Runs `act` once the transaction under way has committed; at once when there is none. */
export function afterCommit(context: Context, act: () => void): void {
  if (context.onCommit === undefined) act();
  else context.onCommit.push(act);
}
