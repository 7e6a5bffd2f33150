import { isAsyncFunction } from 'node:util/types';
import 'reflect-metadata';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  getNullableType,
  isAbstractType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { buildSchemaSync, createResolversMap, getMetadataStorage } from 'type-graphql';
import { actNamed, type ActName } from '../registry.js';
import { addAsOfArguments, letReadAsOf } from '../database/as-of/as-of.js';
import { audited, noteRefusal } from '../security/audit/record.js';
import type { Context } from '../kernel/context.js';
import { declaredAccess, demand, demandProof, type Declared } from './access.js';
import { compactSdl } from './compact-sdl.js';
import { constraintLink, withConstraints } from './constraint.js';
import { withForms } from './forms.js';
import { letStep } from './in-steps.js';
import { withLabels } from './labels.js';
import { entityResolvers, type References } from './references.js';
import { declareCachedQueries } from './response-cache.js';
import { DateTimeScalar } from './scalars.js';
import { requireSharedRuns, sharedRunLink } from './shared-run.js';
import { readTextArguments } from './text-args.js';

type ApolloResolvers = Extract<
  Parameters<typeof buildSubgraphSchema>[0],
  { resolvers?: unknown; typeDefs: DocumentNode | DocumentNode[] }
>['resolvers'] &
  object;

export interface SubgraphParts {
  readonly name: string;
  /** Instances of the resolver classes, wired by hand. Only what these classes reach is in the schema. */
  readonly resolvers: readonly [object, ...object[]];
  readonly references?: References;
  /** Types that no field names, such as the implementations of an interface. */
  readonly orphanedTypes?: readonly (new () => object)[];
}

export interface BuiltSubgraph {
  readonly name: string;
  readonly schema: GraphQLSchema;
  readonly sdl: string;
}

const links = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@tag", "@composeDirective", "@listSize", "@cost"]
)
${constraintLink}
${sharedRunLink}`;

// type-graphql requires a PubSub as soon as there is a subscription; our subscriptions declare their own `subscribe`, which reads the bus.
const noPubSub = {
  publish: () => undefined,
  subscribe: (): never => {
    throw new Error('Give the subscription a `subscribe` function that reads context.bus');
  },
};

/**
 * Builds a federation subgraph from instances of type-graphql resolver classes. type-graphql's decorators fill one storage for the whole process; only
 * what the given classes reach is built, so two subgraphs in one process may have classes of the same GraphQL name.
 * @throws when a query, mutation or subscription declares no `@Access`, an entity has no reference rule, a union or interface resolves its type
 *   asynchronously, a field declared with `@CacheResponse` cannot be cached, or one declared with `@SharedRun` cannot be shared
 */
export function buildSubgraph(parts: SubgraphParts): BuiltSubgraph {
  const original = buildPlain(parts);
  letResume(original);
  // Within the guard: who may not call hears that first.
  readTextArguments(original);
  guard(parts.name, original);
  const built = withForms(original);
  letMutationsBeNull(built);
  addAsOfArguments(built);
  const plain = withLabels(built);
  const references = parts.references ?? {};
  const typeDefs = withConstraints(
    inOrder(parse(`${links}\n${printSchemaWithDirectives(plain)}`, { noLocation: true })),
  );
  expectReferences(parts.name, typeDefs, references);
  // Apollo's type for resolvers covers fewer kinds than it accepts and than type-graphql creates.
  const resolvers = createResolversMap(plain) as ApolloResolvers;
  const schema = buildSubgraphSchema({ typeDefs, resolvers });
  keepAccess(plain, schema);
  findTypesAtOnce(parts.name, schema);
  declareCachedQueries(parts.name, plain, schema);
  requireSharedRuns(parts.name, plain);
  letStep(plain, schema);
  letReadAsOf(plain, schema);
  answerReferences(schema, references);
  return { name: parts.name, schema, sdl: compactSdl(`${print(typeDefs)}\n`) };
}

function buildPlain({ resolvers, orphanedTypes = [] }: SubgraphParts): GraphQLSchema {
  // Decorators of parameters run from the last to the first; the schema shows arguments in the order of declaration.
  getMetadataStorage().params.sort((left, right) => left.index - right.index);
  const instances = new Map<unknown, object>(resolvers.map((instance) => [instance.constructor, instance]));
  const [first, ...others] = resolvers;
  const schema = buildSchemaSync({
    resolvers: [first.constructor, ...others.map((instance) => instance.constructor)],
    orphanedTypes: [...orphanedTypes],
    container: { get: (wanted) => instances.get(wanted) },
    pubSub: noPubSub,
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
    validate: false,
    // The text that is printed from it is checked below.
    skipCheck: true,
  });
  leaveListsPlain(schema, instances);
  return schema;
}

/** Makes every mutation nullable, in place: a rejected one leaves the results of others, and with them secrets that are shown once. */
function letMutationsBeNull(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    field.type = getNullableType(field.type);
  }
}

function guard(subgraph: string, schema: GraphQLSchema): void {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const ofType = declaredAccess(type.extensions);
    for (const field of Object.values(type.getFields())) {
      const declared = declaredAccess(field.extensions) ?? ofType;
      if (declared === undefined && roots.has(type))
        throw new Error(`${subgraph}: ${type.name}.${field.name} must declare its @Access`);
      // Below a root field that admitted the caller, nobody is left to reject.
      if (declared === undefined || (declared.level === 'anyone' && !roots.has(type))) continue;
      const noted = declared.level === 'operator' ? actNamed(field.name) : undefined;
      if (field.subscribe === undefined) {
        const acts = type === schema.getMutationType() && declared.partOfAct !== true ? noted : undefined;
        const resolve = field.resolve ?? defaultFieldResolver;
        field.resolve = guarded(declared, noted, acts === undefined ? resolve : asAct(acts, resolve));
      } else field.subscribe = guarded(declared, noted, field.subscribe);
    }
  }
}

/** Copies the access declared on root fields to the executable schema, in place: only resolvers are carried over from the plain schema by default. */
function keepAccess(plain: GraphQLSchema, schema: GraphQLSchema): void {
  const rootsOf = (one: GraphQLSchema) => [one.getQueryType(), one.getMutationType(), one.getSubscriptionType()];
  const declared = new Map(
    rootsOf(plain).flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map(({ name, extensions }) => [`${type?.name ?? ''}.${name}`, extensions]),
    ),
  );
  for (const type of rootsOf(schema))
    for (const field of Object.values(type?.getFields() ?? {}))
      field.extensions = { ...field.extensions, ...declared.get(`${type?.name ?? ''}.${field.name}`) };
}

/** @param noted the act as which a rejection is noted in the audit log; undefined where it is not */
function guarded<S>(
  declared: Declared,
  noted: ActName | undefined,
  resolve: GraphQLFieldResolver<S, Context>,
): GraphQLFieldResolver<S, Context> {
  return (source, args, context, info) => {
    try {
      demand(declared, context);
      demandProof(declared, context);
    } catch (error) {
      if (noted !== undefined) noteRefusal(context, { action: noted }, error);
      throw error;
    }
    return resolve(source, args, context, info);
  };
}

/** Runs an operator's mutation in a transaction that holds its audit entry. Every such mutation goes through here. */
function asAct<S>(action: ActName, resolve: GraphQLFieldResolver<S, Context>): GraphQLFieldResolver<S, Context> {
  return (source, args: Record<string, unknown>, context, info) =>
    audited(context, { action, after: args }, (tx): unknown => resolve(source, args, tx, info));
}

/** Resolves unions and interfaces by an object's own `__typename`, else by its class, and rejects asynchronous type resolvers. */
function findTypesAtOnce(subgraph: string, schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isAbstractType(type) || type.name === '_Entity') continue;
    const byClass = type.resolveType;
    if (isAsyncFunction(byClass))
      throw new Error(
        `${subgraph}: leave resolveType out of ${type.name} and give its objects a __typename: compiled documents cannot wait for it`,
      );
    type.resolveType = (value: unknown, context, info, abstract) =>
      nameOf(value) ?? byClass?.(value, context, info, abstract);
  }
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('__typename' in value)) return undefined;
  return typeof value.__typename === 'string' ? value.__typename : undefined;
}

function answerReferences(schema: GraphQLSchema, references: References): void {
  const { entities, typeOf } = entityResolvers(references);
  const field = schema.getQueryType()?.getFields()['_entities'];
  if (field !== undefined) field.resolve = entities;
  const union = schema.getType('_Entity');
  if (isUnionType(union)) union.resolveType = typeOf;
}

/** Requires a rule for every entity that others may refer to, and rejects rules for types that are not entities. */
function expectReferences(subgraph: string, typeDefs: DocumentNode, references: References): void {
  const entities = new Set<string>();
  for (const definition of typeDefs.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    if (definition.directives?.some(isResolvableKey) === true) entities.add(definition.name.value);
  }
  const lacking = [...entities].filter((name) => references[name] === undefined);
  if (lacking.length > 0) throw new Error(`${subgraph}: references has no rule for the entity ${lacking.join(', ')}`);
  const idle = Object.keys(references).filter((name) => !entities.has(name));
  if (idle.length > 0) throw new Error(`${subgraph}: references has a rule for ${idle.join(', ')}, which has no @key`);
}

function isResolvableKey(directive: ConstDirectiveNode): boolean {
  if (directive.name.value !== 'key') return false;
  const resolvable = directive.arguments?.find((argument) => argument.name.value === 'resolvable')?.value;
  return !(resolvable?.kind === Kind.BOOLEAN && !resolvable.value);
}

/** Sorts types and root fields by name, so that the order in which modules are loaded does not show. */
function inOrder(document: DocumentNode): DocumentNode {
  const nameIn = (node: DefinitionNode): string =>
    'name' in node && typeof node.name === 'object' ? node.name.value : '';
  const definitions = document.definitions
    .toSorted((left, right) => nameIn(left).localeCompare(nameIn(right), 'en'))
    .map((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && ['Query', 'Mutation', 'Subscription'].includes(node.name.value)
        ? {
            ...node,
            fields: node.fields?.toSorted((left, right) => left.name.value.localeCompare(right.name.value, 'en')) ?? [],
          }
        : node,
    );
  return { kind: Kind.DOCUMENT, definitions };
}

/** Lets every subscription with the argument `since` go on after `context.resumeAfter`, whatever its arguments say. In place. */
function letResume(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const { subscribe } = field;
    if (subscribe !== undefined && field.args.some(({ name }) => name === 'since'))
      field.subscribe = resuming(subscribe);
  }
}

function resuming<S>(subscribe: GraphQLFieldResolver<S, Context>): GraphQLFieldResolver<S, Context> {
  return (source, args: Record<string, unknown>, context, info) => {
    const { resumeAfter } = context;
    if (resumeAfter === undefined) return subscribe(source, args, context, info);
    // The other argument that says where to begin is not for use together with `since`.
    return subscribe(source, { ...args, since: resumeAfter, lastEventId: null }, context, info);
  };
}

/** Passes lists of input objects as coerced, in place: type-graphql would copy 50,000 items in one turn. @param instances of the resolver classes */
function leaveListsPlain(schema: GraphQLSchema, instances: ReadonlyMap<unknown, object>): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const { target, methodName, schemaName, params = [] } of getMetadataStorage().mutations) {
    const instance = instances.get(target);
    const field = fields[schemaName];
    if (instance === undefined || field === undefined) continue;
    const method: unknown = Reflect.get(instance, methodName);
    const list = field.args.some(
      ({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)),
    );
    if (!list || typeof method !== 'function') continue;
    const values = params
      .toSorted((left, right) => left.index - right.index)
      .map((param) => {
        if (param.kind === 'arg') return (args: Readonly<Record<string, unknown>>) => args[param.name];
        if (param.kind === 'context') return (_args: unknown, context: Context) => context;
        throw new Error(`${schemaName} takes a list of input objects: it can have arguments and the context only`);
      });
    field.resolve = (_source, args: Readonly<Record<string, unknown>>, context: Context): unknown =>
      Reflect.apply(
        method,
        instance,
        values.map((value) => value(args, context)),
      );
  }
}
