import type { FetchDataRewrite, FetchNode } from '@apollo/query-planner';
import { isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../shared/is-record.js';
import { own, put, type Data } from './merge.js';
import { typesUnder } from './representation.js';

/** Changes an object, or the objects below it, in place. */
export type Rewrite = (value: unknown) => void;

const fragmentPrefix = '... on ';

/** Compiles what a plan wants changed in what a fetch sends or receives; undefined where that is nothing. */
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
 * Compiles what is changed in an entity that a fetch brings. A subgraph that knows an interface as an object (`@interfaceObject`)
 * names the interface as the type of each: that name must not take the place of the type that another subgraph told.
 */
export function compileEntityRewrites(
  schema: GraphQLSchema,
  { requires = [], inputRewrites = [], outputRewrites = [] }: FetchNode,
): Rewrite | undefined {
  const rewrite = compileRewrites(schema, outputRewrites);
  const conditions = requires.flatMap((one) => (one.kind === 'InlineFragment' ? [one.typeCondition] : []));
  // An object that is known by its own type is referred to as one of the interface.
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

/** The caller's response names by those under which a fetch asks, so that two types may say different things under one. */
export function renamedKeys({ outputRewrites = [] }: FetchNode): ReadonlyMap<string, string> {
  return new Map(
    outputRewrites.flatMap((one) =>
      one.kind === 'KeyRenamer' ? [[one.path.at(-1) ?? '', one.renameKeyTo] as const] : [],
    ),
  );
}

function stepOf(schema: GraphQLSchema, [first = '', ...rest]: readonly string[], rewrite: FetchDataRewrite): Rewrite {
  if (rest.length === 0)
    return eachObject((data) => {
      change(data, first, rewrite);
    });
  const below = stepOf(schema, rest, rewrite);
  if (!first.startsWith(fragmentPrefix)) {
    return eachObject((data) => {
      below(own(data, first));
    });
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
