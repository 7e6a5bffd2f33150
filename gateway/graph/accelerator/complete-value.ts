import { isListType, isNonNullType, type GraphQLOutputType } from 'graphql';
import type { Variables } from '../../../shared/subgraph/variables.js';
import type { Path } from '../merge-errors.js';

/* Lists, and nulls where none are allowed, as GraphQL §6.4.3 and §6.4.4 complete them. */

/** One projection of a result. */
export interface Run {
  readonly variables: Variables;
  /** Path of the current value. One array for the whole run. */
  readonly path: (string | number)[];
  /** Paths at which a required value is missing, or is not of its type. */
  readonly missing: Path[];
}

/** A null whose reason is already in `missing`. */
export const reportedNull = Symbol('reported null');
/** A null where none is allowed: the surrounding value becomes null as well. */
export const forbiddenNull = Symbol('forbidden null');

/**
 * Returns the value as the caller sees it, null, `reportedNull` or `forbiddenNull`. `earlier` is the value that another selection of the same
 * response name has produced; this one adds to it.
 */
export type Completion = (value: unknown, earlier: unknown, run: Run) => unknown;

/** Compiles the completion of a type, from that of the type without its lists and non-null wrappers. */
export function completionOf(type: GraphQLOutputType, unwrapped: (type: GraphQLOutputType) => Completion): Completion {
  if (isNonNullType(type)) return required(completionOf(type.ofType, unwrapped));
  const complete = isListType(type) ? listOf(completionOf(type.ofType, unwrapped)) : unwrapped(type);
  return (value, earlier, run) =>
    value === null || value === undefined || earlier === null ? null : complete(value, earlier, run);
}

function required(complete: Completion): Completion {
  return (value, earlier, run) => {
    const completed = complete(value, earlier, run);
    if (completed === null) report(run);
    return completed === null || completed === reportedNull ? forbiddenNull : completed;
  };
}

function listOf(complete: Completion): Completion {
  return (value, earlier, run) => {
    if (!Array.isArray(value))
      throw new Error('A subgraph returned a value that is not a list for a field that is a list');
    const earlierItems: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
    const items: unknown[] = [];
    let isComplete = true;
    for (let at = 0; at < value.length; at++) {
      run.path.push(at);
      const item = complete(value[at], earlierItems[at], run);
      run.path.pop();
      isComplete &&= item !== forbiddenNull;
      items.push(typeof item === 'symbol' ? null : item);
    }
    return isComplete ? items : reportedNull;
  };
}

/** Notes that the current value is missing. */
export function report({ missing, path }: Run): typeof reportedNull {
  missing.push([...path]);
  return reportedNull;
}
