import {
  isIntrospectionType,
  isSpecifiedScalarType,
  Kind,
  parse,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type DirectiveNode,
} from 'graphql';

/** A root field with the operation type that has it. */
export interface RootField {
  readonly kind: 'queries' | 'mutations' | 'subscriptions';
  readonly field: GraphQLField<unknown, unknown>;
}

/** The part of the schema that one domain has. */
export interface Domain {
  /** Name of the subgraph; `common` for what several have alike. */
  readonly name: string;
  readonly roots: readonly RootField[];
  readonly types: readonly GraphQLNamedType[];
}

/** Domains by name, and the domain of each type. */
export interface Domains {
  readonly all: readonly Domain[];
  readonly domainOf: ReadonlyMap<string, string>;
}

const common = 'common';
const rootNames = new Set(['Query', 'Mutation', 'Subscription']);

/** Sorts the types and root fields of a schema by the subgraph that defines them. */
export function domainsOf(schema: GraphQLSchema, supergraphSdl: string): Domains {
  const owners = ownersIn(supergraphSdl);
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !rootNames.has(type.name),
  );
  const domainOf = new Map(types.map(({ name }) => [name, owners.types.get(name) ?? common]));
  const roots = [
    { kind: 'queries' as const, type: schema.getQueryType() },
    { kind: 'mutations' as const, type: schema.getMutationType() },
    { kind: 'subscriptions' as const, type: schema.getSubscriptionType() },
  ].flatMap(({ kind, type }) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      domain: owners.fields.get(`${type?.name ?? ''}.${field.name}`) ?? common,
      root: { kind, field },
    })),
  );
  const names = [...new Set([...owners.graphs, common])];
  const all = names.map((name) => ({
    name,
    roots: roots.filter(({ domain }) => domain === name).map(({ root }) => root),
    types: types.filter((type) => domainOf.get(type.name) === name).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }));
  return { all: all.filter((one) => one.roots.length + one.types.length > 0), domainOf };
}

interface Owners {
  /** Names of the subgraphs. */
  readonly graphs: readonly string[];
  readonly types: ReadonlyMap<string, string>;
  /** Of the root fields. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A type belongs to the subgraph that defines most of its fields, if it is the only such one. */
function ownersIn(supergraphSdl: string): Owners {
  const graphs = new Map<string, string>();
  const [types, fields] = [new Map<string, string>(), new Map<string, string>()];
  for (const node of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === 'join__Graph')
      for (const value of node.values ?? [])
        graphs.set(value.name.value, argumentsOf(value.directives ?? [], 'join__graph', 'name')[0] ?? '');
    if (!('name' in node) || !('directives' in node)) continue;
    const holders = argumentsOf(node.directives ?? [], 'join__type', 'graph');
    const parts = 'fields' in node ? (node.fields ?? []) : [];
    const counts = new Map([...new Set(holders)].map((graph) => [graph, 0]));
    for (const part of parts) {
      const of = argumentsOf(part.directives ?? [], 'join__field', 'graph');
      for (const graph of of) counts.set(graph, (counts.get(graph) ?? 0) + 1);
      if (of[0] !== undefined && rootNames.has(node.name.value))
        fields.set(`${node.name.value}.${part.name.value}`, of[0]);
    }
    const most = Math.max(...counts.values());
    const [owner, ...others] = [...counts].filter(([, count]) => count === most).map(([graph]) => graph);
    if (owner !== undefined && others.length === 0) types.set(node.name.value, owner);
  }
  const named = (map: Map<string, string>) =>
    new Map([...map].map(([key, graph]) => [key, graphs.get(graph) ?? common]));
  return { graphs: [...graphs.values()], types: named(types), fields: named(fields) };
}

function argumentsOf(directives: readonly DirectiveNode[], directive: string, argument: string): string[] {
  return directives
    .filter(({ name }) => name.value === directive)
    .flatMap(({ arguments: given = [] }) => given.filter(({ name }) => name.value === argument))
    .flatMap(({ value }) => ('value' in value && typeof value.value === 'string' ? [value.value] : []));
}

/** Returns the path of a domain’s page. */
export function domainPath(name: string): string {
  return `/docs/graphql/${name}`;
}

/** Returns the id of a root field, which may have the name of a type. */
export function rootId({ kind, field }: RootField): string {
  return `${kind}-${field.name}`;
}
