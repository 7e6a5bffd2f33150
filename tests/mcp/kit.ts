import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { fileURLToPath } from 'node:url';
import { composeSupergraph } from '../../gateway/graph/compose.js';
import { createGraph, type Graph } from '../../gateway/graph/graph.js';
import { localDataSource } from '../../gateway/graph/data-source.js';
import type { PlatformOptions } from '../../bootstrap/platform.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { testKeyRing } from '../kit/context.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { plenty } from '../trading/kit.js';

/** The tools of these tests: `listar_livros`, `obter_livro`, `estante`. */
export const bookTools = fileURLToPath(new URL('./tools/', import.meta.url));

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")

  scalar Decimal
  scalar Month
  type Query {
    "Every book, with its price"
    books: Books!
    "One book"
    book("Its title, in any case" title: String!): Book
    "A shelf, or why there is none"
    shelf(number: Int, month: Month): Shelf!
  }
  "All books"
  type Books { items: [Book!]! total: Int! }
  "A book"
  type Book {
    "Its title"
    title: String!
    "In BRL"
    price: Decimal!
    binding: Binding
    sequels: [Book]
  }
  enum Binding { "Boards" HARD "Paper" SOFT }
  union Shelf = OpenShelf | ClosedShelf
  "A shelf that can be seen"
  type OpenShelf { open: Boolean! books: [Book!]! }
  "A shelf that cannot"
  type ClosedShelf { open: Boolean! reason: String! }
`;

const dune = { title: 'Dune', price: '49.90', binding: 'HARD', sequels: [null] };
const emma = { title: 'Emma', price: '9.00', binding: null, sequels: null };

/** What a test may hold back, to look at a call under way. */
export interface Library {
  readonly graph: Graph;
  /** The contexts in which the list of books was asked for. */
  readonly contexts: Context[];
  /** Awaited before the list of books is answered. */
  gate: Promise<void>;
}

function bookOf(_root: unknown, { title }: { title: string }) {
  if (title === 'bug') throw new TypeError('secret of the machine room');
  if (title === 'busy') throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 7 });
  return [dune, emma].find((book) => book.title.toLowerCase() === title.toLowerCase());
}

function shelfOf(_root: unknown, { number }: { number?: number | null }) {
  if (number === 9) throw new ApiError('BAD_REQUEST', { details: [{ path: 'number', message: 'is being repaired' }] });
  return number === 2
    ? { __typename: 'ClosedShelf', open: false, reason: 'Dust' }
    : { __typename: 'OpenShelf', open: true, books: [dune] };
}

export async function createLibrary(): Promise<Library> {
  const library: Omit<Library, 'graph'> = { contexts: [], gate: Promise.resolve() };
  const books = async (_root: unknown, _args: unknown, context: unknown) => {
    library.contexts.push(context as Context);
    await library.gate;
    return { items: [dune, emma], total: 2 };
  };
  const schema = buildSubgraphSchema({
    typeDefs: parse(sdl),
    resolvers: { Query: { books, book: bookOf, shelf: shelfOf } },
  });
  const graph = await createGraph({
    supergraphSdl: composeSupergraph([{ name: 'library', sdl }]),
    sources: { library: localDataSource(schema, testKeyRing) },
  });
  return Object.assign(library, { graph });
}

/** An agent of the SDK's own, connected. @param structured whether it asks for structured results, as programs do */
export async function connect(
  address: string,
  headers: Record<string, string>,
  { structured = false, send = fetch }: { readonly structured?: boolean; readonly send?: typeof fetch } = {},
): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const url = new URL(`${address}/v1/emissoes/mcp${structured ? '?structured=true' : ''}`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: send });
  await client.connect(transport);
  return client;
}

/** A `fetch` that tells how many bytes each response has. */
export const countedFetch =
  (note: (bytes: number) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    note(body.byteLength);
    return new Response(body.byteLength === 0 ? null : body, response);
  };

/** The whole program on the demo data, and the header of an agent there. */
export async function openDemoPlatform(
  environment: Readonly<Record<string, string>> = {},
  options: PlatformOptions = {},
): Promise<{ readonly platform: TestPlatform; readonly key: Record<string, string> }> {
  const platform = await openTestPlatform(
    { ...plenty, DEMO: 'true', ...environment },
    { background: false, ...options },
  );
  return { platform, key: { 'X-API-Key': platform.demo().publicApiKey } };
}
