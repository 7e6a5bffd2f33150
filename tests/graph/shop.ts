import { buildSubgraphSchema } from '@apollo/subgraph';
import { Kind, parse, type DirectiveNode, type DocumentNode } from 'graphql';
import { composeSupergraph } from '../../gateway/graph/compose.js';
import { createGraph } from '../../gateway/graph/graph.js';
import { loadSupergraph } from '../../gateway/graph/supergraph.js';
import { localDataSource, type SubgraphDataSource } from '../../gateway/graph/data-source.js';
import type { GraphResult, GraphRequest } from '../../shared/graphql/executor.js';
import { testKeyRing } from '../kit/context.js';

// Three subgraphs over one set of plain objects, for what the library does not have: values like 0, false and '', hidden enum
// values, types that implement less in one subgraph than in another, fields whose types differ between subgraphs,
// `@requires`, `@provides`, `@interfaceObject` and fields under the name of a key. GraphQL's own executor answers the
// same documents from `shopRoot` and the graph's schema, in one piece: what it says is right.

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@shareable", "@external", "@requires", "@provides", "@inaccessible", "@interfaceObject"])`;

const catalog = `${link}
  interface Node { id: ID! }
  interface Media @key(fields: "id") { id: ID! minutes: Int }
  enum Status { ACTIVE SOLD HIDDEN @inaccessible }
  type Shoe implements Node @key(fields: "id") {
    id: ID! size: Int! price: Float! @shareable status: Status statuses: [Status!] maker: Maker @provides(fields: "motto")
    label: String! @shareable count: Int! @shareable worn: Boolean! @shareable marks: [String!] @shareable
  }
  type Book implements Node @key(fields: "id") {
    id: ID! pages: Int label: String count: Int worn: Boolean marks: [String] maker: Maker!
  }
  type Film implements Media @key(fields: "id") { id: ID! minutes: Int silent: Boolean! }
  type Song implements Media @key(fields: "id") { id: ID! minutes: Int verse: String }
  type Maker @key(fields: "id") { id: ID! motto: String! @external }
  union Item = Shoe | Book
  type Query {
    items: [Item]! item(id: ID!): Item node(id: ID!): Node rows: [[Item!]]! shoes(status: Status): [Shoe!]!
    media: [Media!]!
  }
  input Wear { id: ID! worn: Boolean! = false status: Status }
  type Mutation { wear(wear: Wear!): Shoe count(by: Int! = 0): Int! }
  type Subscription { worn(id: ID!): Shoe! }`;

const stock = `${link}
  interface Node { id: ID! }
  type Shoe @key(fields: "id") {
    id: ID! price: Float @shareable size: Int! @external
    label: String @shareable count: Int @shareable worn: Boolean @shareable marks: [String] @shareable
    inStock: Int! pairs: [[Int]] shipping: Float! @requires(fields: "size") tag(text: String = ""): String!
    similar(limit: Int! = 2): [Shoe!]!
  }
  type Book implements Node @key(fields: "id") { id: ID! inStock: Int! shelf: String }
  union Stocked = Shoe | Book
  type Query { stocked: [Stocked!]! first: Shoe last(text: String): Book }
  type Mutation { restock(id: ID!): Shoe }`;

const people = `${link}
  type Maker @key(fields: "id") { id: ID! motto: String! @shareable founded: Int active: Boolean! best: Shoe films: [Media!]! }
  type Shoe @key(fields: "id", resolvable: false) { id: ID! }
  type Media @key(fields: "id") @interfaceObject { id: ID! score: Int! loved: Boolean! critics: [Maker!]! }
  type Query { makers(first: Int! = 3): [Maker!]! maker(id: ID!): Maker top: Media }`;

type Row = Record<string, unknown> & { readonly id: string; readonly __typename: string };

const shoe = (id: string, size: number, own: Record<string, unknown>): Row => ({
  ...{ __typename: 'Shoe', id, size, shipping: size * 2, price: 0, status: 'ACTIVE', statuses: [], maker: null },
  ...{ label: '', count: 0, worn: false, marks: [''], inStock: 0, pairs: [[0, null], []] },
  tag: ({ text }: { text: string }) => `${id}${text}`,
  similar: ({ limit }: { limit: number }) => shoes.filter((other) => other.id !== id).slice(0, limit),
  ...own,
});

const boot = { price: 9.5, label: 'Boot', count: 3, worn: true, marks: null, inStock: 7, statuses: ['ACTIVE', 'SOLD'] };
const shoes = [
  shoe('s1', 0, { status: 'HIDDEN' }),
  shoe('s2', 42, boot),
  shoe('s3', 38, { status: null, statuses: ['SOLD', 'HIDDEN'], pairs: null }),
];
const empty = { label: '', count: 0, worn: false, pages: 0, shelf: '', inStock: 0, marks: [null, ''] };
const absent = { label: null, count: null, worn: null, pages: null, shelf: null, inStock: 2, marks: [] };
const books: Row[] = [
  { __typename: 'Book', id: 'b1', ...empty },
  { __typename: 'Book', id: 'b2', ...absent },
];
const media: Row[] = [
  { __typename: 'Film', id: 'f1', minutes: 0, silent: false, score: 0, loved: false },
  { __typename: 'Song', id: 'g1', minutes: null, verse: '', score: 5, loved: true, critics: [] },
];
const makers: Row[] = [
  { __typename: 'Maker', id: 'm1', motto: '', founded: 0, active: false, films: media },
  { __typename: 'Maker', id: 'm2', motto: 'Onward', founded: null, active: true, films: [], best: null },
];
const rows = new Map([...shoes, ...books, ...media, ...makers].map((row) => [row.id, row] as const));
const at = (id: string): Row | null => rows.get(id) ?? null;

for (const [id, relations] of Object.entries({
  s1: { maker: at('m1') },
  s3: { maker: at('m2') },
  b1: { maker: at('m1') },
  b2: { maker: at('m2') },
  f1: { critics: makers },
  m1: { best: at('s2') },
})) {
  Object.assign(at(id) ?? {}, relations);
}

/** The whole graph as one object: fields with arguments are functions of these. */
export const shopRoot: Readonly<Record<string, unknown>> = {
  items: [at('s1'), at('b1'), null, at('s2'), at('b2'), at('s1')],
  item: ({ id }: { id: string }) => at(id),
  node: ({ id }: { id: string }) => at(id),
  rows: [[at('s3'), at('b2')], null, [], [at('s1'), at('s3')]],
  shoes: ({ status }: { status?: string | null }) =>
    shoes.filter((row) => status === undefined || status === null || row['status'] === status),
  media: [at('f1'), at('g1'), at('f1')],
  stocked: [at('b1'), at('s3'), at('s1'), at('s3')],
  first: at('s1'),
  last: () => at('b2'),
  makers: ({ first }: { first: number }) => makers.slice(0, first),
  maker: ({ id }: { id: string }) => at(id),
  top: at('f1'),
  wear: ({ wear }: { wear: { id: string } }) => at(wear.id),
  count: ({ by }: { by: number }) => by,
  restock: ({ id }: { id: string }) => at(id),
  worn: at('s3'),
};

const rootTypes = ['Query', 'Mutation', 'Subscription'];
/** The library does not name the type of what it takes. */
type ResolverMap = NonNullable<
  Extract<
    Parameters<typeof buildSubgraphSchema>[0],
    { resolvers?: unknown; typeDefs: DocumentNode | DocumentNode[] }
  >['resolvers']
>;
type Resolvers = Record<string, Record<string, unknown>>;

/** Resolvers for what objects do not simply hold: the root, fields with arguments, references, and `@requires`. */
function resolversOf(typeDefs: DocumentNode): Resolvers {
  const resolvers: Resolvers = {};
  for (const type of typeDefs.definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const name = type.name.value;
    const own: Record<string, unknown> = (resolvers[name] = {});
    if (has(type, 'key')) {
      own['__resolveReference'] = (reference: Row) => {
        const row = { ...at(reference.id), given: reference };
        return type.kind === Kind.INTERFACE_TYPE_DEFINITION ? row : { ...row, __typename: name };
      };
    }
    for (const field of type.fields ?? []) {
      const key = field.name.value;
      const isRoot = rootTypes.includes(name);
      if (name === 'Subscription') own[key] = { subscribe: () => eventsOf(key), resolve: (event: unknown) => event };
      else if (has(field, 'requires')) own[key] = ({ given }: { given: { size: number } }) => given.size * 2;
      else if (isRoot || (field.arguments ?? []).length > 0) {
        own[key] = (parent: unknown, args: unknown) => valueOf(isRoot ? shopRoot : parent, key, args);
      }
    }
  }
  return resolvers;
}

function has({ directives = [] }: { directives?: readonly DirectiveNode[] | undefined }, name: string): boolean {
  return directives.some((directive) => directive.name.value === name);
}

function valueOf(parent: unknown, key: string, args: unknown): unknown {
  const held: unknown = Reflect.get(Object(parent), key);
  return typeof held === 'function' ? Reflect.apply(held, parent, [args]) : held;
}

/** Two events, the same each. */
async function* eventsOf(key: string): AsyncGenerator {
  yield await Promise.resolve(shopRoot[key]);
  yield shopRoot[key];
}

export type Shop = Awaited<ReturnType<typeof createShop>>;

/** The shop's graph, its subgraphs in this process or as if they were elsewhere. */
export async function createShop({ remote = false } = {}) {
  const requests: (readonly [string, GraphRequest])[] = [];
  const sources: Record<string, SubgraphDataSource> = {};
  const parts = Object.entries({ catalog, stock, people }).map(([name, sdl]) => ({ name, sdl }));
  for (const { name, sdl } of parts) {
    const typeDefs = parse(sdl);
    const schema = buildSubgraphSchema({ typeDefs, resolvers: resolversOf(typeDefs) as ResolverMap });
    const source = localDataSource(schema, testKeyRing);
    sources[name] = {
      ...source,
      remote,
      execute: async (request, context) => {
        requests.push([name, request]);
        const answer = await source.execute(request, context);
        return remote ? (JSON.parse(JSON.stringify(answer)) as GraphResult) : answer;
      },
    };
  }
  const supergraphSdl = composeSupergraph(parts);
  const graph = await createGraph({ supergraphSdl, sources });
  return { graph, supergraph: await loadSupergraph(supergraphSdl), requests };
}
