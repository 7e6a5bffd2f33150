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
import type { Answer } from './executor.js';

/** Tells what an answer depends on besides its document: while it tells the same, the answer is the same, whoever asks. */
export type Stamp = (context: Context) => Promise<string>;

/**
 * Declares that a query without arguments (`asOf` aside) answers everyone who may ask the same, for as long as `stamp` tells the same. An
 * operation of the house's own that asks for nothing else is then answered with what was made before: only the access is
 * checked, and the stamp read.
 */
export function CacheResponse(stamp: Stamp): MethodDecorator {
  return Extensions({ lasting: stamp });
}

const declaredForm = z.object({ lasting: z.custom<Stamp>((value) => typeof value === 'function') });

/**
 * Carries what `@Lasting` declared from the schema of type-graphql to the one that runs, in place.
 * @throws where what is declared is no query, or one that takes arguments or whose answer holds anything that a resolver finds
 */
export function letLast(subgraph: string, plain: GraphQLSchema, schema: GraphQLSchema): void {
  for (const type of [plain.getMutationType(), plain.getSubscriptionType()]) {
    for (const { name, extensions } of Object.values(type?.getFields() ?? {})) {
      if (declaredForm.safeParse(extensions).success)
        throw new Error(`${subgraph}: ${name} is no query and cannot be lasting`);
    }
  }
  const fields = schema.getQueryType()?.getFields() ?? {};
  for (const { name, extensions } of Object.values(plain.getQueryType()?.getFields() ?? {})) {
    const field = fields[name];
    if (field === undefined || !declaredForm.safeParse(extensions).success) continue;
    // What is asked of a past moment is neither kept nor taken from what is kept.
    if (field.args.some((argument) => argument.name !== 'asOf'))
      throw new Error(`${subgraph}: ${name} is lasting and must not take arguments`);
    const found = foundBelow(field.type, new Set());
    if (found !== undefined) throw new Error(`${subgraph}: ${name} is lasting, but ${found} has a resolver`);
    field.extensions = { ...field.extensions, ...extensions };
  }
}

/** A field within a type that is not simply read from its object. */
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

/** Gives the answer that is kept, or else the one that `build` makes, which must not reject; of many who ask at once one builds. */
export type Keeper = (context: Context, build: () => Promise<Answer>) => Promise<Answer>;

const kept = new WeakSet<Answer>();

/** Whether an answer will be given again, the very same object: what is made of it can be kept with it. */
export function isCachedResponse(answer: Answer): boolean {
  return kept.has(answer);
}

/** Keeps the last answer of an operation; undefined where its answers do not last. */
export function answerKeeper(schema: GraphQLSchema, document: DocumentNode): Keeper | undefined {
  const extensions = onlyField(schema, document)?.extensions ?? {};
  const declared = declaredForm.safeParse(extensions).data;
  if (declared === undefined) return undefined;
  const access = declaredAccess(extensions);
  let last: { readonly stamp: string; readonly making: Building<Answer> } | undefined;
  return async (context, build) => {
    if (access !== undefined) demand(access, context);
    const stamp = await declared.lasting(context);
    const usable = last?.stamp === stamp && last.making.isDependable() ? last : undefined;
    countLookup('lasting-answers', usable !== undefined);
    if (usable !== undefined) {
      const known = await usable.making.value;
      // Who waited for an answer that failed finds out for themselves: its errors are of another request.
      return isCachedResponse(known) ? known : build();
    }
    const own = { stamp, making: buildingOf(build()) };
    last = own;
    const answer = await own.making.value;
    if (answer.errors === undefined) kept.add(answer);
    else if (last === own) last = undefined;
    return answer;
  };
}

/** The query that a document asks for where it asks for one alone, unconditionally and without an argument. */
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
