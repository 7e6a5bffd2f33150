import type { Context } from '../kernel/context.js';
import { outcomeUnknown } from '../kernel/outcome-unknown.js';
import { isOutcomeUnknown } from './unavailable.js';

/**
 * The only way into a transaction; within another one a savepoint. Inside it, use only the manager of `tx`.
 * @throws {ApiError} UNAVAILABLE with an explanation when the connection was lost during the commit: whether it was committed is unknown
 */
export async function inTransaction<T>(context: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const outer = context.onCommit;
  const onCommit: (() => void)[] = [];
  const stage = { committing: false };
  try {
    const result = await context.manager.inTransaction(async (manager) => {
      const done = await work({ ...context, manager, onCommit, loaders: new Map(), published: undefined });
      stage.committing = outer === undefined;
      return done;
    });
    if (outer === undefined) for (const act of onCommit) act();
    else outer.push(...onCommit);
    return result;
  } catch (error) {
    if (stage.committing && isOutcomeUnknown(error)) throw outcomeUnknown('the database', context.idempotency, error);
    throw error;
  }
}

/** Runs `act` once the current transaction has committed; at once when there is none. */
export function afterCommit(context: Context, act: () => void): void {
  if (context.onCommit === undefined) act();
  else context.onCommit.push(act);
}
