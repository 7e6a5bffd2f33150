import type { FetchDataRewrite, FetchNode } from '@apollo/query-planner';
import { isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../shared/is-record.js';
import { own, put, type Data } from './merge.js';
import { typesUnder } from './representation.js';

/** Changes an object, or the objects below it, in place. */
export type Rewrite = (value: unknown) => void;

const fragmentPrefix = '... on ';

/** Compiles the changes that a plan makes to the data that a fetch sends or receives; undefined where there are none. */
export function compileRewrites(
  schema: GraphQLSchema,
  rewrites: readonly FetchDataRewrite[] | undefined,
): Rewrite | undefined {
  if (rewrites === undefined || rewrites.length === 0) return undefined;
  const steps = rewrites.map((rewrite) => stepOf(schema, rewrite.path, rewrite));
  return (value) => {
    for (const step of steps) step(value);
  };
}

/**
 * Compiles the changes to an entity that a fetch returns. A subgraph that knows an interface as an object (`@interfaceObject`)
 * returns the interface as the type of each entity: that name must not replace the type that another subgraph returned.
 */
export function compileEntityRewrites(
  schema: GraphQLSchema,
  { requires = [], inputRewrites = [], outputRewrites = [] }: FetchNode,
): Rewrite | undefined {
  const rewrite = compileRewrites(schema, outputRewrites);
  const conditions = requires.flatMap((one) => (one.kind === 'InlineFragment' ? [one.typeCondition] : []));
  // An entity whose own type is known is referred to by the interface.
  const typesSet = inputRewrites.flatMap((one) => (one.kind === 'ValueSetter' ? [String(one.setValueTo)] : []));
  const interfaces = new Set<unknown>(
    [...conditions, ...typesSet].filter((name = '') => isInterfaceType(schema.getType(name))),
  );
  if (interfaces.size === 0) return rewrite;
  return (value) => {
    rewrite?.(value);
    if (isRecord(value) && interfaces.has(value['__typename'])) Reflect.deleteProperty(value, '__typename');
  };
}

/** Returns the caller's response names by the names in the fetch, which differ where two types have different fields under one response name. */
export function renamedKeys({ outputRewrites = [] }: FetchNode): ReadonlyMap<string, string> {
  return new Map(
    outputRewrites.flatMap((one) =>
      one.kind === 'KeyRenamer' ? [[one.path.at(-1) ?? '', one.renameKeyTo] as const] : [],
    ),
  );
}

function stepOf(schema: GraphQLSchema, [first = '', ...rest]: readonly string[], rewrite: FetchDataRewrite): Rewrite {
  if (rest.length === 0) return eachObject((data) => change(data, first, rewrite));
  const below = stepOf(schema, rest, rewrite);
  if (!first.startsWith(fragmentPrefix)) {
    return eachObject((data) => below(own(data, first)));
  }
  const types = typesUnder(schema, first.slice(fragmentPrefix.length));
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

function change(data: Data, name: string, rewrite: FetchDataRewrite): void {
  if (rewrite.kind === 'ValueSetter') {
    put(data, name, rewrite.setValueTo);
    return;
  }
  const value = own(data, name);
  // Null, 0, false and '' are values too.
  if (value === undefined) return;
  put(data, rewrite.renameKeyTo, value);
  Reflect.deleteProperty(data, name);
}
