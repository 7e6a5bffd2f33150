import { isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { own, put, type Data } from './merge.js';
import type { DataRewrite, EntityRequest, FetchNode, PlanPath } from './plan.js';
import { typesUnder } from './representation.js';

/** Changes an object, or the objects below it, in place. */
export type Rewrite = (value: unknown) => void;

/** Compiles the changes that a plan makes to the data that a fetch sends or receives; undefined where there are none. */
export function compileRewrites(schema: GraphQLSchema, rewrites: readonly DataRewrite[]): Rewrite | undefined {
  if (rewrites.length === 0) return undefined;
  const steps = rewrites.map((rewrite) => stepOf(schema, rewrite.path, rewrite));
  return (value) => {
    for (const step of steps) step(value);
  };
}

/** A subgraph with `@interfaceObject` returns the interface as the type of each entity, which must not replace the type that another returned. */
export function compileEntityRewrites(
  schema: GraphQLSchema,
  { requires, inputRewrites, outputRewrites }: EntityRequest,
): Rewrite | undefined {
  const rewrite = compileRewrites(schema, outputRewrites);
  const conditions = requires.flatMap((one) => ('type' in one ? [one.type] : []));
  // An entity whose own type is known is referred to by the interface.
  const typesSet = inputRewrites.flatMap((one) => (one.kind === 'set' ? [String(one.value)] : []));
  const interfaces = new Set<unknown>(
    [...conditions, ...typesSet].filter((name = '') => isInterfaceType(schema.getType(name))),
  );
  if (interfaces.size === 0) return rewrite;
  return (value) => {
    rewrite?.(value);
    if (isRecord(value) && interfaces.has(value['__typename'])) Reflect.deleteProperty(value, '__typename');
  };
}

export function renamedKeys({ rewrites, entities }: FetchNode): ReadonlyMap<string, string> {
  const all = [...rewrites, ...entities.flatMap(({ outputRewrites }) => outputRewrites)];
  return new Map(
    all.flatMap((one) => {
      const name = one.path.at(-1);
      return one.kind === 'rename' && typeof name === 'string' ? [[name, one.name] as const] : [];
    }),
  );
}

function stepOf(schema: GraphQLSchema, [first = '', ...rest]: PlanPath, rewrite: DataRewrite): Rewrite {
  if (typeof first === 'string') {
    if (rest.length === 0) return eachObject((data) => change(data, first, rewrite));
    const below = stepOf(schema, rest, rewrite);
    return eachObject((data) => below(own(data, first)));
  }
  const below = stepOf(schema, rest, rewrite);
  const types = new Set(first.types.flatMap((name) => [...typesUnder(schema, name)]));
  return eachObject((data) => {
    const typename = data['__typename'];
    if (typename === undefined || types.has(typename)) below(data);
  });
}

function eachObject(act: (data: Data) => void): Rewrite {
  const rewrite: Rewrite = (value) => {
    if (Array.isArray(value)) value.forEach(rewrite);
    else if (isRecord(value)) act(value);
  };
  return rewrite;
}

function change(data: Data, name: string, rewrite: DataRewrite): void {
  if (rewrite.kind === 'set') {
    put(data, name, rewrite.value);
    return;
  }
  const value = own(data, name);
  // Null, 0, false and '' are values too.
  if (value === undefined) return;
  put(data, rewrite.name, value);
  Reflect.deleteProperty(data, name);
}
