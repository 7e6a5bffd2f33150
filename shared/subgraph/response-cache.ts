import {
  getNamedType,
  isObjectType,
  isScalarType,
  isEnumType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { z } from 'zod';
import { buildingOf, type Building } from '../building.js';
import { countLookup } from '../cache-lookups.js';
import type { Context } from '../context.js';
import { declaredAccess, demand } from './access.js';
import type { GraphResult } from './executor.js';

/** Returns a stamp of everything a result depends on besides its document: while the stamp is the same, the result is the same for every caller. */
export type Stamp = (context: Context) => Promise<string>;

/**
 * Declares that a query without arguments (`asOf` aside) returns the same to every permitted caller for as long as `stamp` is unchanged. One of our own
 * operations that selects nothing else is then answered from the cache: only the access is checked and the stamp read.
 */
export function CacheResponse(stamp: Stamp): MethodDecorator {
  return Extensions({ cached: stamp });
}

const declaredForm = z.object({ cached: z.custom<Stamp>((value) => typeof value === 'function') });

/**
 * Copies `@CacheResponse` declarations from type-graphql's schema to the executable one, in place.
 * @throws when the declared field is not a query, takes arguments, or its result contains a field with a resolver
 */
export function letLast(subgraph: string, plain: GraphQLSchema, schema: GraphQLSchema): void {
  for (const type of [plain.getMutationType(), plain.getSubscriptionType()]) {
    for (const { name, extensions } of Object.values(type?.getFields() ?? {})) {
      if (declaredForm.safeParse(extensions).success)
        throw new Error(`${subgraph}: ${name} is not a query and cannot be cached`);
    }
  }
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const { name, extensions } of Object.values(plain.getQueryType()?.getFields() ?? {})) {
    const field = fields[name];
    if (field === undefined || !declaredForm.safeParse(extensions).success) continue;
    // Reads of a past moment are neither cached nor served from the cache.
    if (field.args.some((argument) => argument.name !== 'asOf'))
      throw new Error(`${subgraph}: ${name} is cached and must not take arguments`);
    const found = foundBelow(field.type, new Set());
    if (found !== undefined) throw new Error(`${subgraph}: ${name} is cached, but ${found} has a resolver`);
    field.extensions = { ...field.extensions, ...extensions };
  }
}

/** Returns a field within a type that has a resolver, if any. */
function foundBelow(output: GraphQLOutputType, seen: Set<string>): string | undefined {
  const type = getNamedType(output);
  if (isScalarType(type) || isEnumType(type) || seen.has(type.name)) return undefined;
  if (!isObjectType(type)) return type.name;
  seen.add(type.name);
  for (const field of Object.values(type.getFields())) {
    const found = field.resolve === undefined ? foundBelow(field.type, seen) : `${type.name}.${field.name}`;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the cached result, or the one that `build` makes, which must not reject; of many concurrent callers one builds. */
export type Keeper = (context: Context, build: () => Promise<GraphResult>) => Promise<GraphResult>;

const kept = new WeakSet<GraphResult>();

/** Whether a result is cached and will be returned again as the very same object: anything derived from it can be cached with it. */
export function isCachedResponse(response: GraphResult): boolean {
  return kept.has(response);
}

/** Creates the cache of an operation's last result; undefined when the operation is not cacheable. */
export function answerKeeper(schema: GraphQLSchema, document: DocumentNode): Keeper | undefined {
  const extensions = onlyField(schema, document)?.extensions ?? {};
  const declared = declaredForm.safeParse(extensions).data;
  if (declared === undefined) return undefined;
  const access = declaredAccess(extensions);
  let last: { readonly stamp: string; readonly making: Building<GraphResult> } | undefined;
  return async (context, build) => {
    if (access !== undefined) demand(access, context);
    const stamp = await declared.cached(context);
    const usable = last?.stamp === stamp && last.making.isDependable() ? last : undefined;
    countLookup('response-cache', usable !== undefined);
    if (usable !== undefined) {
      const known = await usable.making.value;
      // A caller who waited for a failed result runs the operation again: the errors belong to another request.
      return isCachedResponse(known) ? known : build();
    }
    const own = { stamp, making: buildingOf(build()) };
    last = own;
    const response = await own.making.value;
    if (response.errors === undefined) kept.add(response);
    else if (last === own) last = undefined;
    return response;
  };
}

/** Returns the query that a document selects if it selects only that one, unconditionally and without arguments. */
function onlyField(schema: GraphQLSchema, { definitions }: DocumentNode): GraphQLField<unknown, Context> | undefined {
  const [operation, ...others] = definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY || (operation.variableDefinitions ?? []).length > 0)
    return undefined;
  const [selection, ...rest] = operation.selectionSet.selections;
  if (selection?.kind !== Kind.FIELD || rest.length > 0 || (selection.directives ?? []).length > 0) return undefined;
  if ((selection.arguments ?? []).length > 0) return undefined;
  return schema.getQueryType()?.getFields()[selection.name.value];
}
