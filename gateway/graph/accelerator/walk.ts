import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { isPlain, own, type Data } from './merge.js';
import type { Path } from '../merge-errors.js';
import type { PlanPath } from './plan.js';
import { typesUnder } from './representation.js';

export type Walk = (value: unknown, found: (object: Data) => void) => void;
/** Finds each object at a path with its place, which is valid during the call only. */
export type PlacedWalk = (
  value: unknown,
  place: (string | number)[],
  found: (object: Data, place: Path) => void,
) => void;

/** Compiles a path. A list may also be where the path has no `@`: its items are meant. */
export function walkOf(schema: GraphQLSchema, [step, ...rest]: PlanPath): Walk {
  if (step === undefined) {
    const end: Walk = (value, found) => {
      if (isRecord(value)) found(value);
      else if (Array.isArray(value)) for (const item of value) end(item, found);
    };
    return end;
  }
  const below = walkOf(schema, rest);
  if (step === '@') {
    return (value, found) => {
      if (Array.isArray(value)) for (const item of value) below(item, found);
    };
  }
  const enter = entering(schema, step);
  const walk: Walk = (value, found) => {
    if (isRecord(value)) below(enter(value), found);
    else if (Array.isArray(value)) for (const item of value) walk(item, found);
  };
  return walk;
}

/** Compiles a path like `walkOf`, for errors: the places of objects are slower to find, and rarely needed. */
export function placedWalkOf(schema: GraphQLSchema, [step, ...rest]: PlanPath): PlacedWalk {
  const below = step === undefined ? undefined : placedWalkOf(schema, rest);
  const enter = step === undefined || step === '@' ? undefined : entering(schema, step);
  const walk: PlacedWalk = (value, place, found) => {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        (step === '@' && below !== undefined ? below : walk)(item, [...place, at], found);
    } else if (isRecord(value)) {
      if (below === undefined) found(value, place);
      else if (enter !== undefined) below(enter(value), typeof step === 'string' ? [...place, step] : place, found);
    }
  };
  return walk;
}

/** Compiles a step to a field, or to the objects of some types: their value is the object itself. */
function entering(schema: GraphQLSchema, step: PlanPath[number]): (object: Data) => unknown {
  if (typeof step === 'string') return isPlain(step) ? (object) => object[step] : (object) => own(object, step);
  const types = new Set(step.types.flatMap((name) => [...typesUnder(schema, name)]));
  return (object) => {
    const typename = object['__typename'];
    return typename === undefined || types.has(typename) ? object : undefined;
  };
}
