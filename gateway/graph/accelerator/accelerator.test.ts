import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { anonymous, type Context, type Principal } from '../../../shared/kernel/context.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import { librarySubgraph } from '../../../tests/graph/library.js';
import { randomDocument } from '../../../tests/graph/random-document.js';
import { reviewsSubgraph } from '../../../tests/graph/reviews.js';
import { libraryVocabulary } from '../../../tests/graph/vocabularies.js';
import { testContext, testKeyRing } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { composeSupergraph } from '../compose.js';
import { localDataSource, type SubgraphDataSource, type SubgraphDataSources } from '../data-source.js';
import { createGraph, type Graph } from '../graph.js';
import { loadSupergraph } from '../supergraph.js';
import { createAccelerator } from './accelerator.js';

const built = [librarySubgraph(), reviewsSubgraph()];
const local: SubgraphDataSources = Object.fromEntries(
  built.map(({ name, schema }) => [name, localDataSource(schema, testKeyRing)] as const),
);
const supergraphSdl = composeSupergraph(built);

async function waysOf(sources: SubgraphDataSources) {
  const [accelerated, apollo] = await Promise.all([
    createGraph({ supergraphSdl, sources }),
    createGraph({ supergraphSdl, sources, accelerated: false }),
  ]);
  return { accelerated, apollo };
}

const asked: string[] = [];
const counted = Object.fromEntries(
  Object.entries(local).map(([name, source]) => {
    const execute: SubgraphDataSource['execute'] = (request, context) => {
      asked.push(name);
      return source.execute(request, context);
    };
    return [name, { ...source, execute }];
  }),
);
const ways = await waysOf(counted);

const database = await openTestDatabase();
afterAll(() => database.close());

const session: Principal = { kind: 'SESSION', id: 's1', ownerId: 'ana', scopes: ['confirmed'] };

function contextOf(parts: Partial<Context> = {}): Context {
  return testContext({
    manager: database.dataSource.manager,
    principal: anonymous('192.0.2.1'),
    requestId: 'r-7',
    ...parts,
  });
}

function run(
  graph: Graph,
  text: string,
  variables: Record<string, unknown> = {},
  parts?: Partial<Context>,
): Promise<GraphResult> {
  return graph.run(graph.prepare(text), variables, contextOf(parts));
}

/**
 * Returns the different errors as a caller sees them, in an order that does not depend on which subgraph was faster: a request of one way may be
 * two of the other, and fail twice.
 */
function errorsOf({ errors = [] }: GraphResult): string[] {
  return [...new Set(errors.map(({ path, extensions }) => JSON.stringify([path ?? null, extensions['code']])))].sort();
}

/** Returns the result of the accelerator, after checking that Apollo Gateway has the same data and the same kinds of errors. */
async function result(
  text: string,
  variables: Record<string, unknown> = {},
  sources?: SubgraphDataSources,
): Promise<GraphResult> {
  const { accelerated, apollo } = sources === undefined ? ways : await waysOf(sources);
  const [own, other] = [await run(accelerated, text, variables), await run(apollo, text, variables)];
  expect(sorted(own.data)).toBe(sorted(other.data));
  expect(new Set(own.errors?.map(({ extensions }) => extensions['code']))).toEqual(
    new Set(other.errors?.map(({ extensions }) => extensions['code'])),
  );
  return JSON.parse(JSON.stringify(own)) as GraphResult;
}

function changed(
  name: string,
  change: (source: SubgraphDataSource) => Partial<SubgraphDataSource>,
): SubgraphDataSources {
  const source = local[name];
  if (source === undefined) throw new Error(`There is no ${name}`);
  return { ...local, [name]: { ...source, ...change(source) } };
}

/** Returns the text of a value with its fields sorted: another test checks their order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}

test.each([
  [OperationTypeNode.QUERY, 150],
  [OperationTypeNode.MUTATION, 40],
] as const)('any %s is answered as Apollo Gateway answers it', async (operation, numRuns) => {
  let several = 0;
  const documents = randomDocument(ways.accelerated.apiSchema, operation, libraryVocabulary);
  await fc.assert(
    fc.asyncProperty(documents, async ({ text, variables }) => {
      // Apollo Gateway loses an object all of whose fields a literal leaves out.
      fc.pre(!/if: (true|false)/.test(text));
      const parts = { principal: session };
      asked.length = 0;
      const own = await run(ways.accelerated, text, variables, parts);
      if (new Set(asked).size > 1) several++;
      // The same if a variable leaves the fields out.
      fc.pre(!JSON.stringify(own.data ?? null).includes('{}'));
      const other = await run(ways.apollo, text, variables, parts);
      expect(sorted(own.data)).toBe(sorted(other.data));
      // A field that a condition leaves out is not fetched, and cannot fail. Apollo's errors have other places where not all of a list was requested.
      if (/@skip|@include|works/.test(text)) return;
      // If the error removes the object, one gateway may report errors of its other fields and the other gateway not.
      expect(errorsOf(own).length > 0).toBe(errorsOf(other).length > 0);
    }),
    { numRuns },
  );
  expect(several).toBeGreaterThan(numRuns / 4);
});

test('what one subgraph resolves alone runs there also where there is no planner (Windows, musl); the rest is left', async () => {
  const known = new LRUCache<string, string>({ max: 10 });
  const accelerate = createAccelerator(
    { ...(await loadSupergraph(supergraphSdl)), plan: () => undefined, known },
    local,
  );
  const routed = (text: string) => {
    const prepared = ways.accelerated.prepare(text);
    accelerate(prepared, nameInternally(prepared.document), { key: text, cached: false });
    return JSON.parse(known.get(text) ?? 'null') as unknown;
  };
  const { nameInternally } = await loadSupergraph(supergraphSdl);
  expect(routed('{ book(id: "1") { title } }')).toEqual({ subgraph: 'library' });
  expect(routed('{ book(id: "1") { title rating } }')).toBeNull();
  expect(routed('{ __schema { queryType { name } } book(id: "1") { title } }')).toBeNull();
});

describe('a query of several subgraphs', () => {
  test('fetches nothing that is skipped, where one condition decides over several parts', async () => {
    const text = `query ($no: Boolean!) { discussed { ... on Book { others { __typename ...Deep @skip(if: $no) } } verdict @skip(if: $no) } }
      fragment Deep on Book { verdict }`;
    const parts = { principal: session };
    const own = await run(ways.accelerated, text, { no: true }, parts);
    expect(sorted(own.data)).toBe(sorted((await run(ways.apollo, text, { no: true }, parts)).data));
    expect(JSON.stringify(errorsOf(own))).not.toContain('verdict');
  });

  test('keeps the fields of a fragment on the type of an object within one on a wider type', async () => {
    const text = '{ book(id: "1") { ... on Work { title ... on Book { rating } } } }';
    expect(await run(ways.accelerated, text)).toEqual({
      data: { book: { title: 'Dom Casmurro', rating: 3 } },
    });
  });

  test('keeps the other entities of a list when one fails, and says where', async () => {
    const answer = await result('{ books { title verdict } shelves { dispute } }');
    expect(answer.data).toEqual(null);
    expect(errorsOf(answer)).toEqual([
      '[["books",1,"verdict"],"UNPROCESSABLE"]',
      '[["shelves",0,1,"dispute"],"CONFLICT"]',
    ]);
    const gaps = await result('{ gaps { title verdict } }');
    expect(gaps.data).toEqual({
      gaps: [
        [null, null, { title: 'Grande Sertão', verdict: 'Verdict 3' }],
        [{ title: 'Dom Casmurro', verdict: 'Verdict 1' }],
      ],
    });
    expect(errorsOf(gaps)).toEqual(['[["gaps",0,1,"verdict"],"UNPROCESSABLE"]']);
  });

  test('names the place of the entity that failed, where others of its list were not asked for', async () => {
    const answer = await result('{ works { title ... on Book { dispute } } }');
    expect(errorsOf(answer)).toEqual(['[["works",1,"dispute"],"CONFLICT"]']);
    expect(answer.errors).toMatchObject([{ message: 'Disputed', extensions: { statusCode: 409, requestId: 'r-7' } }]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/library|reviews|service/i);
  });

  test('says nothing of missing parts where an error says enough', async () => {
    const answer = await result('{ discussed { id title } }');
    expect(answer.data).toEqual({
      discussed: [
        { id: '1', title: 'Dom Casmurro' },
        null,
        null,
        { id: '2', title: 'Vidas Secas' },
        null,
        { id: '3', title: 'Grande Sertão' },
      ],
    });
    expect(errorsOf(answer)).toEqual(['[["discussed",4],"CONFLICT"]']);
  });

  test('asks at once what does not wait for another part', async () => {
    const requests: string[] = [];
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => (open = resolve));
    const waiting: SubgraphDataSources = Object.fromEntries(
      Object.entries(local).map(([name, source]) => {
        const execute: SubgraphDataSource['execute'] = async (request, context) => {
          if (requests.push(name) === 2) open();
          await both;
          return source.execute(request, context);
        };
        return [name, { ...source, execute }];
      }),
    );
    const answer = await result('{ book(id: "1") { title } bestReviews { stars } }', {}, waiting);
    expect(answer.data).toEqual({ book: { title: 'Dom Casmurro' }, bestReviews: [{ stars: 5 }, { stars: 4 }] });
  });

  test.each([
    ['{ book(id: "1") { __proto__: title rating } }', '{"book":{"__proto__":"Dom Casmurro","rating":3}}'],
    ['{ __proto__: book(id: "1") { title rating } }', '{"__proto__":{"title":"Dom Casmurro","rating":3}}'],
    [
      '{ constructor: book(id: "1") { toString: rating valueOf: title } }',
      '{"constructor":{"toString":3,"valueOf":"Dom Casmurro"}}',
    ],
  ])('may name its fields like what every object inherits: %s', async (text, data) => {
    expect(JSON.stringify((await result(text)).data)).toBe(data);
  });

  test('answers what the others have when a subgraph answers no data at all', async () => {
    const extensions = { code: 'UNAVAILABLE', statusCode: 503, requestId: 'r-7' };
    const down = changed('reviews', () => ({
      execute: () => Promise.resolve({ errors: [new GraphQLError('Not now', { extensions })] }),
    }));
    const answer = await result('{ books { title dispute } book(id: "1") { rating } }', {}, down);
    expect(answer.data).toMatchObject({ books: { length: 3 }, book: null });
    expect(answer.errors?.[0]).toEqual({ message: 'Not now', extensions });
  });

  test.each<[string, () => Promise<GraphResult>]>([
    ['fails', () => Promise.reject(new Error('secret'))],
    ['answers fewer entities than it was asked for', () => Promise.resolve({ data: { _entities: [] } })],
  ])('is a fault of the house, and no more, where a subgraph %s', async (_what, execute) => {
    const answer = await result(
      '{ book(id: "1") { title dispute } }',
      {},
      changed('reviews', () => ({ execute })),
    );
    expect(answer.data).toEqual({ book: { title: 'Dom Casmurro', dispute: null } });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'INTERNAL', requestId: 'r-7' } }]);
    expect(JSON.stringify(answer.errors)).not.toContain('secret');
  });

  test.each([
    ['dispute', 1.5, { dispute: null }],
    ['rating', 'three', null],
  ])('has nothing where a subgraph answers what is not of the type: %s', async (field, value, book) => {
    const odd = changed('reviews', () => ({
      execute: () => Promise.resolve({ data: { _entities: [{ [field]: value }] } }),
    }));
    const answer = await result(`{ book(id: "1") { ${field} } }`, {}, odd);
    expect(answer.data).toEqual({ book });
    expect(errorsOf(answer)).toEqual([`[["book","${field}"],"NOT_FOUND"]`]);
  });

  test('asks nobody for more of what is not there', async () => {
    const never = changed('reviews', () => ({ execute: () => Promise.reject(new Error('This was not to be asked')) }));
    const text = 'query ($id: ID!) { book(id: $id) { title rating } find(id: $id) { ... on Film { audience } } }';
    expect(await result(text, { id: '404' }, never)).toEqual({ data: { book: null, find: null } });
  });

  test('sends a subgraph only the variables that it uses, and changes none', async () => {
    const told: unknown[] = [];
    const listening = changed('reviews', (source) => ({
      execute: (request, context) => {
        told.push(request.variables);
        return source.execute(request, context);
      },
    }));
    const variables = Object.freeze({ n: 1 });
    const text = 'query ($n: Int!, $limit: Int = 1) { books(first: $n) { rating others(limit: $limit) { title } } }';
    await run((await waysOf(listening)).accelerated, text, variables);
    expect(told).toEqual([{ representations: [{ __typename: 'Book', id: '1' }] }]);
  });

  test('refuses a condition that is null', async () => {
    const text = 'query ($yes: Boolean = true) { book(id: "1") { title rating @include(if: $yes) } }';
    const refused = [{ extensions: { code: 'BAD_REQUEST', details: [{ path: 'yes' }] } }];
    expect((await result(text, { yes: null })).errors).toMatchObject(refused);
  });
});
