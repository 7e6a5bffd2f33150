import {
  getNamedType,
  isObjectType,
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
import { countLookup, shared } from '../memo.js';
import type { Context } from '../kernel/context.js';
import { declaredAccess, demand } from './access.js';
import type { GraphResult } from './executor.js';
import type { Variables } from './variables.js';

export type CachedArguments = Readonly<Record<string, unknown>>;

/** Names the state that a result depends on besides the arguments; undefined where the result must not be cached. */
export type Stamp = (context: Context, args: CachedArguments) => Promise<string | undefined>;

/** The callers to whom a query returns the same: all who are permitted, or only those without a credential. */
type Readers = 'everyone' | 'anonymous';

interface Declared {
  readonly stamp: Stamp;
  readonly readers: Readers;
}

/** Declares that a query returns the same while `stamp` is unchanged; one of our operations is then answered from the cache after the access check. */
export function CacheResponse(stamp: Stamp, readers: Readers = 'anonymous'): MethodDecorator {
  return Extensions({ cached: { stamp, readers } satisfies Declared });
}

const declaredForm = z.object({
  cached: z.object({
    stamp: z.custom<Stamp>((value) => typeof value === 'function'),
    readers: z.enum(['everyone', 'anonymous']),
  }),
});

const declaredOf = (extensions: unknown): Declared | undefined => declaredForm.safeParse(extensions).data?.cached;

/** Whether the extensions of a query declare it with `@CacheResponse`: its data is published, and the same for all readers. */
export function isCachedQuery(extensions: unknown): boolean {
  return declaredOf(extensions) !== undefined;
}

/** Copies `@CacheResponse` declarations, in place. @throws for a field that is no query, or is cached for everyone above a field with its own access */
export function declareCachedQueries(subgraph: string, plain: GraphQLSchema, schema: GraphQLSchema): void {
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
    const guarded = declared.readers === 'everyone' ? guardedBelow(plain, field.type, new Set()) : undefined;
    if (guarded !== undefined)
      throw new Error(`${subgraph}: ${name} is cached for everyone, but not everyone may read ${guarded}`);
    field.extensions = { ...field.extensions, ...extensions, cachedBy: subgraph };
  }
}

export function guardedBelow(plain: GraphQLSchema, output: GraphQLOutputType, seen: Set<string>): string | undefined {
  const { name } = getNamedType(output);
  const type = plain.getType(name);
  if (seen.has(name)) return undefined;
  seen.add(name);
  if (isUnionType(type)) return firstOf(type.getTypes(), (one) => guardedBelow(plain, one, seen));
  if (!isObjectType(type)) return undefined;
  if (declaredAccess(type.extensions) !== undefined) return name;
  return firstOf(Object.values(type.getFields()), (field) =>
    declaredAccess(field.extensions) === undefined ? guardedBelow(plain, field.type, seen) : `${name}.${field.name}`,
  );
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Runs the operation in a context; must not reject. */
type Build = (context: Context) => Promise<GraphResult>;

/** Returns the cached result, or the one that `build` makes; of many concurrent callers one builds. */
export type CachedRun = (context: Context, variables: Variables, build: Build) => Promise<GraphResult>;

/** Callers of whom nothing is known that a result could depend on. */
const unknownReaders: ReadonlySet<Context['principal']['kind']> = new Set(['ANONYMOUS', 'WEBSITE']);

const cached = new WeakMap<GraphResult, string>();

/** Whether a result is cached and will be returned again as the very same object: anything derived from it can be cached with it. */
export function isCachedResponse(response: GraphResult): boolean {
  return cached.has(response);
}

/** Names the data behind a cached result by subgraph and stamp, as `issuances-57-2026-11-26`; undefined if not cached. */
export function revisionOf(response: GraphResult): string | undefined {
  return cached.get(response);
}

interface Stored {
  readonly stamp: string;
  readonly response: GraphResult;
}

/** Results of the operations of a graph, within a limit of memory; the least recently used are evicted first. */
export interface ResponseStore {
  get(key: string): Stored | undefined;
  set(key: string, stored: Stored): void;
}

/** The characters of JSON of all cached results: objects and the bytes of a response take some four times as much memory. */
const storedCharacters = 8_388_608;
/** Longer results, such as the list of all operations, evict no others, and are kept however long they are: a few of them. */
const longCharacters = storedCharacters / 4;
const longResults = 2;
/** Arguments beyond this are not cached: nobody is likely to send them again. */
const longestKey = 500;

export function createResponseStore(): ResponseStore {
  const usual = new LRUCache<string, Stored>({ maxSize: storedCharacters });
  const long = new LRUCache<string, Stored>({ max: longResults });
  return {
    get: (key) => usual.get(key) ?? long.get(key),
    set: (key, stored) => {
      const size = charactersOf(stored.response.data, longCharacters);
      const isLong = size > longCharacters;
      if (isLong) long.set(key, stored);
      else usual.set(key, stored, { size });
      (isLong ? usual : long).delete(key);
    },
  };
}

/** Counts the characters of a value in JSON, nearly, without making its text; ends soon after `most`. */
function charactersOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 6;
  let sum = 2;
  for (const [key, item] of Object.entries(value)) {
    sum += (Array.isArray(value) ? 0 : key.length + 3) + charactersOf(item, most - sum);
    if (sum > most) break;
  }
  return sum;
}

/** Creates the cache of an operation's results; undefined when the operation is not cacheable. */
export function cachedRun(schema: GraphQLSchema, document: DocumentNode, store: ResponseStore): CachedRun | undefined {
  const selected = onlyField(schema, document);
  const { extensions = {} } = selected?.field ?? {};
  const declared = declaredOf(extensions);
  if (selected === undefined || declared === undefined) return undefined;
  const access = declaredAccess(extensions);
  const subgraph = typeof extensions['cachedBy'] === 'string' ? extensions['cachedBy'] : '';
  const run = storedOrBuilt(store, `${(operations += 1)}`, subgraph);
  return async (given, variables, build) => {
    if (access !== undefined) demand(access, given);
    // The stamp and the result come from one node, which shows nothing older after the stamp.
    const context = given.published?.contextFor(given) ?? given;
    const args = argumentsOf(selected.node, variables);
    const cacheable =
      (declared.readers === 'everyone' || unknownReaders.has(context.principal.kind)) && args['asOf'] == null;
    const key = JSON.stringify(variables);
    const stamp = cacheable && key.length <= longestKey ? await declared.stamp(context, args) : undefined;
    if (stamp === undefined) return build(context);
    // Builds without the request's loaders, which may hold data older than the stamp.
    return run(key, stamp, () => build({ ...context, loaders: new Map() }));
  };
}

/** Number of cached operations of the process, which are named by it. */
let operations = 0;

/** Returns the function that finds the result of an operation for variables, or builds it once for all who ask at the same time. */
function storedOrBuilt(store: ResponseStore, operation: string, subgraph: string) {
  const underWay = shared<GraphResult>();
  const built = async (key: string, stamp: string, build: () => Promise<GraphResult>): Promise<GraphResult> => {
    const response = await build();
    if (response.errors !== undefined) return response;
    cached.set(response, `${subgraph}-${stamp.replaceAll(' ', '-')}`);
    store.set(key, { stamp, response });
    return response;
  };
  return async (variables: string, stamp: string, build: () => Promise<GraphResult>): Promise<GraphResult> => {
    const key = `${operation} ${variables}`;
    const known = store.get(key);
    const fresh = known?.stamp === stamp;
    countLookup('response-cache', fresh);
    if (fresh) return known.response;
    const run = { isOwn: false };
    const response = await underWay(`${stamp} ${key}`, () => {
      run.isOwn = true;
      return built(key, stamp, build);
    });
    // A caller who waited for a failed result runs the operation again: the errors belong to another request.
    return run.isOwn || isCachedResponse(response) ? response : build();
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
