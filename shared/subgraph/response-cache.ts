import {
  getNamedType,
  isEnumType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  OperationTypeNode,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { Extensions } from 'type-graphql';
import { z } from 'zod';
import { buildingOf, type Building } from '../building.js';
import { countLookup } from '../cache-lookups.js';
import type { Context } from '../context.js';
import { declaredAccess, demand } from './access.js';
import type { GraphResult } from './executor.js';
import type { Variables } from './variables.js';

/** Arguments of a query by name, as the caller gave them. */
export type CachedArguments = Readonly<Record<string, unknown>>;

/**
 * Returns a stamp of everything that a result depends on besides the arguments: while the stamp is the same, so is the result. Undefined where the
 * result for these arguments must not be cached.
 */
export type Stamp = (context: Context, args: CachedArguments) => Promise<string | undefined>;

/**
 * Declares that a query returns the same for the same arguments for as long as `stamp` is unchanged. One of our own operations that selects nothing else
 * is then answered from the cache: only the access is checked and the stamp read. A result without any field resolver is the same for every permitted
 * caller; any other is cached for callers without a credential, who all see the same.
 */
export function CacheResponse(stamp: Stamp): MethodDecorator {
  return Extensions({ cached: { stamp, plain: false } });
}

interface Declared {
  readonly stamp: Stamp;
  /** Whether no type of the result has a field resolver. */
  readonly plain: boolean;
}

const declaredForm = z.object({
  cached: z.object({ stamp: z.custom<Stamp>((value) => typeof value === 'function'), plain: z.boolean() }),
});

const declaredOf = (extensions: unknown): Declared | undefined => declaredForm.safeParse(extensions).data?.cached;

/**
 * Copies `@CacheResponse` declarations from type-graphql's schema to the executable one, in place.
 * @throws when the declared field is not a query
 */
export function letLast(subgraph: string, plain: GraphQLSchema, schema: GraphQLSchema): void {
  for (const type of [plain.getMutationType(), plain.getSubscriptionType()]) {
    for (const { name, extensions } of Object.values(type?.getFields() ?? {})) {
      if (declaredOf(extensions) !== undefined)
        throw new Error(`${subgraph}: ${name} is not a query and cannot be cached`);
    }
  }
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const { name, extensions } of Object.values(plain.getQueryType()?.getFields() ?? {})) {
    const field = fields[name];
    const declared = declaredOf(extensions);
    if (field === undefined || declared === undefined) continue;
    field.extensions = {
      ...field.extensions,
      ...extensions,
      cached: { ...declared, plain: isPlain(field.type, new Set()) },
    };
  }
}

/** Whether no field within a type has a resolver. */
function isPlain(output: GraphQLOutputType, seen: Set<string>): boolean {
  const type = getNamedType(output);
  if (isScalarType(type) || isEnumType(type) || seen.has(type.name)) return true;
  seen.add(type.name);
  if (isUnionType(type)) return type.getTypes().every((one) => isPlain(one, seen));
  return (
    isObjectType(type) &&
    Object.values(type.getFields()).every((field) => field.resolve === undefined && isPlain(field.type, seen))
  );
}

/** Returns the cached result, or the one that `build` makes, which must not reject; of many concurrent callers one builds. */
export type Keeper = (
  context: Context,
  variables: Variables,
  build: () => Promise<GraphResult>,
) => Promise<GraphResult>;

const kept = new WeakSet<GraphResult>();

/** Whether a result is cached and will be returned again as the very same object: anything derived from it can be cached with it. */
export function isCachedResponse(response: GraphResult): boolean {
  return kept.has(response);
}

/** Results of the operations of a graph, within a limit of memory; the least recently used are evicted first. */
export type ResponseStore = LRUCache<string, { readonly stamp: string; readonly response: GraphResult }>;

/** The characters of JSON of all cached results: objects and the bytes of a response take some four times as much memory. */
const storedCharacters = 8_388_608;
/** Arguments beyond this are not cached: nobody is likely to send them again. */
const longestKey = 500;

export function createResponseStore(): ResponseStore {
  return new LRUCache({
    maxSize: storedCharacters,
    sizeCalculation: ({ response }) => JSON.stringify(response.data).length,
  });
}

/** Creates the cache of an operation's results; undefined when the operation is not cacheable. */
export function responseKeeper(
  schema: GraphQLSchema,
  document: DocumentNode,
  store: ResponseStore,
): Keeper | undefined {
  const selected = onlyField(schema, document);
  const { extensions = {} } = selected?.field ?? {};
  const declared = declaredOf(extensions);
  if (selected === undefined || declared === undefined) return undefined;
  const access = declaredAccess(extensions);
  const keep = singleFlight(store, `${(operations += 1)}`);
  return async (context, variables, build) => {
    if (access !== undefined) demand(access, context);
    const args = argumentsOf(selected.node, variables);
    const cacheable = (declared.plain || context.principal.kind === 'ANONYMOUS') && args['asOf'] == null;
    const given = JSON.stringify(variables);
    const stamp = cacheable && given.length <= longestKey ? await declared.stamp(context, args) : undefined;
    return stamp === undefined ? build() : keep(given, stamp, build);
  };
}

/** Number of cached operations of the process, which are named by it. */
let operations = 0;

/** Returns the function that finds the result of an operation for variables, or builds it once for all who ask at the same time. */
function singleFlight(store: ResponseStore, operation: string) {
  const underWay = new Map<string, Building<GraphResult>>();
  const built = async (key: string, stamp: string, build: () => Promise<GraphResult>): Promise<GraphResult> => {
    const response = await build();
    if (response.errors !== undefined) return response;
    kept.add(response);
    store.set(key, { stamp, response });
    return response;
  };
  return async (variables: string, stamp: string, build: () => Promise<GraphResult>): Promise<GraphResult> => {
    const key = `${operation} ${variables}`;
    const known = store.get(key);
    const fresh = known?.stamp === stamp;
    countLookup('response-cache', fresh);
    if (fresh) return known.response;
    const place = `${stamp} ${key}`;
    const begun = underWay.get(place);
    if (begun?.isDependable() === true) {
      const response = await begun.value;
      // A caller who waited for a failed result runs the operation again: the errors belong to another request.
      return isCachedResponse(response) ? response : build();
    }
    const own = buildingOf(built(key, stamp, build));
    underWay.set(place, own);
    return own.value.finally(() => {
      if (underWay.get(place) === own) underWay.delete(place);
    });
  };
}

function argumentsOf({ arguments: given = [] }: FieldNode, variables: Variables): CachedArguments {
  return Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]));
}

/** Returns the query that a document selects, if it selects only that one and unconditionally. */
function onlyField(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
): { readonly node: FieldNode; readonly field: Pick<GraphQLField<unknown, unknown>, 'extensions'> } | undefined {
  const [operation, ...others] = definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY) return undefined;
  const [node, ...rest] = operation.selectionSet.selections;
  if (node?.kind !== Kind.FIELD || rest.length > 0 || (node.directives ?? []).length > 0) return undefined;
  const field = schema.getQueryType()?.getFields()[node.name.value];
  return field === undefined ? undefined : { node, field };
}
