import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operationFromDocument, Supergraph } from '@apollo/federation-internals';
import { QueryPlanner, type FetchNode } from '@apollo/query-planner';
import fc from 'fast-check';
import { getOperationAST, GraphQLError, parse, validate } from 'graphql';
import { anonymous } from '../shared/context.js';
import type { Answer } from '../shared/subgraph/execute.js';
import { librarySubgraph } from '../tests/graph/library.js';
import { randomQuery } from '../tests/graph/random-query.js';
import { reviewsSubgraph } from '../tests/graph/reviews.js';
import { testContext, testKeyRing } from '../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { composeSupergraph } from './compose.js';
import { fetchesOf } from './fetches.js';
import type { Route } from './graph.js';
import { withHouseScalars } from './house-scalars.js';
import { joinedRoute } from './joined-route.js';
import { plannedRoute } from './planned-route.js';
import { localSource, type Source, type Sources } from './source.js';

const built = [librarySubgraph(), reviewsSubgraph()];
const local: Sources = Object.fromEntries(
  built.map(({ name, schema }) => [name, localSource(schema, testKeyRing)] as const),
);
const supergraph = Supergraph.build(composeSupergraph(built), { validateSupergraph: false });
const api = supergraph.apiSchema();
const schemas = {
  api,
  apiSchema: withHouseScalars(api.toGraphQLJSSchema()),
  supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
};
const planner = new QueryPlanner(supergraph, { exposeDocumentNodeInFetchNode: true });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Ways {
  readonly fetches: number;
  readonly joined: Route | undefined;
  readonly planned: Route;
}

/** Both ways of one plan. */
function waysOf(text: string, sources: Sources = local, change: (fetch: FetchNode) => void = () => undefined): Ways {
  const document = parse(text);
  expect(validate(schemas.apiSchema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('A document of these tests has one operation');
  const plan = planner.buildQueryPlan(operationFromDocument(api, document));
  const fetches = fetchesOf(plan.node);
  fetches.forEach(change);
  const joined = joinedRoute({ document, operation }, plan, sources, schemas);
  joined?.compile();
  return { fetches: fetches.length, joined, planned: plannedRoute({ document, operation }, plan, sources, schemas) };
}

function run(route: Route, variables: Record<string, unknown>): Promise<Answer> {
  const principal = anonymous('192.0.2.1');
  return route.run(variables, testContext({ manager: database.dataSource.manager, principal, requestId: 'r-7' }));
}

/** What a caller is told of faults, in an order that does not depend on which subgraph was faster. */
function faultsOf({ errors = [] }: Answer, { places = true } = {}): string[] {
  return errors.map(({ path, extensions }) => JSON.stringify([places && (path ?? null), extensions['code']])).sort();
}

/** Whether the answer has such a place, or would have it but for a null above. */
function isPlace(value: unknown, [key, ...rest]: readonly (string | number)[]): boolean {
  if (value === null || value === undefined) return value === null;
  return key === undefined || isPlace(Reflect.get(Object(value), key), rest);
}

/** The answer of the joined way, which has to be the one of Apollo's executor. */
async function joinedAnswer(text: string, variables: Record<string, unknown> = {}, sources?: Sources): Promise<Answer> {
  const { joined, planned } = waysOf(text, sources);
  if (joined === undefined) throw new Error(`Not joined: ${text}`);
  const [answer, other] = [await run(joined, variables), await run(planned, variables)];
  expect(JSON.stringify(answer.data)).toBe(JSON.stringify(other.data));
  expect(faultsOf(answer, { places: false })).toEqual(faultsOf(other, { places: false }));
  return JSON.parse(JSON.stringify(answer)) as Answer;
}

/** The sources, with one of them changed. */
function changed(name: string, change: (source: Source) => Partial<Source>): Sources {
  const source = local[name];
  if (source === undefined) throw new Error(`There is no ${name}`);
  return { ...local, [name]: { ...source, ...change(source) } };
}

test('any query is answered as Apollo’s executor answers it, to the order of the fields', async () => {
  let several = 0;
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(randomQuery(schemas.apiSchema), async ({ text, variables }) => {
      const { fetches, joined, planned } = waysOf(text);
      if (fetches > 1) several++;
      if (joined === undefined) return;
      if (fetches > 1) taken++;
      const [answer, other] = [await run(joined, variables), await run(planned, variables)];
      expect(JSON.stringify(answer.data)).toBe(JSON.stringify(other.data));
      // Apollo's executor counts the entities of a list, also those that it did not ask for, and so takes one for another.
      const places = !text.includes('works');
      expect(faultsOf(answer, { places })).toEqual(faultsOf(other, { places }));
      for (const { path = [] } of answer.errors ?? []) expect(isPlace(answer.data, path)).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(several).toBeGreaterThan(75);
  expect(taken / several).toBeGreaterThan(0.8);
});

describe('a query of several subgraphs', () => {
  test('keeps the fields of a fragment on the type of an object within one on a wider type', async () => {
    const { joined } = waysOf('{ book(id: "1") { ... on Work { title ... on Book { rating } } } }');
    expect(await joined?.run({}, testContext({ manager: database.dataSource.manager }))).toEqual({
      data: { book: { title: 'Dom Casmurro', rating: 3 } },
    });
  });

  test('keeps the other entities of a list when one fails, and says where', async () => {
    const answer = await joinedAnswer('{ books { title verdict } shelves { dispute } }');
    expect(answer.data).toEqual(null);
    expect(faultsOf(answer)).toEqual([
      '[["books",1,"verdict"],"UNPROCESSABLE"]',
      '[["shelves",0,1,"dispute"],"CONFLICT"]',
    ]);
    const gaps = await joinedAnswer('{ gaps { title verdict } }');
    expect(gaps.data).toEqual({
      gaps: [
        [null, null, { title: 'Grande Sertão', verdict: 'Verdict 3' }],
        [{ title: 'Dom Casmurro', verdict: 'Verdict 1' }],
      ],
    });
    expect(faultsOf(gaps)).toEqual(['[["gaps",0,1,"verdict"],"UNPROCESSABLE"]']);
  });

  test('names the place of the entity that failed, where others of its list were not asked for', async () => {
    const answer = await joinedAnswer('{ works { title ... on Book { dispute } } }');
    expect(faultsOf(answer)).toEqual(['[["works",1,"dispute"],"CONFLICT"]']);
    expect(answer.errors).toMatchObject([{ message: 'Disputed', extensions: { statusCode: 409, requestId: 'r-7' } }]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/library|reviews|service/i);
  });

  test('says so where a subgraph has nothing for a reference', async () => {
    const answer = await joinedAnswer('{ book(id: "2") { next { id title } } }');
    expect(answer.data).toEqual({ book: { next: null } });
    expect(faultsOf(answer)).toEqual(['[["book","next","title"],"NOT_FOUND"]']);
  });

  test('says nothing of missing parts where a fault says enough', async () => {
    const answer = await joinedAnswer('{ discussed { id title } }');
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
    expect(faultsOf(answer)).toEqual(['[["discussed",4],"CONFLICT"]']);
  });

  test('asks at once what does not wait for another part', async () => {
    const asked: string[] = [];
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => (open = resolve));
    const waiting: Sources = Object.fromEntries(
      Object.entries(local).map(([name, source]) => {
        const execute: Source['execute'] = async (request, context) => {
          if (asked.push(name) === 2) open();
          await both;
          return source.execute(request, context);
        };
        return [name, { ...source, execute }];
      }),
    );
    const answer = await joinedAnswer('{ book(id: "1") { title } bestReviews { stars } }', {}, waiting);
    expect(answer.data).toEqual({ book: { title: 'Dom Casmurro' }, bestReviews: [{ stars: 5 }, { stars: 4 }] });
  });

  test('reaches entities of entities', async () => {
    const answer = await joinedAnswer('{ bestReviews { book { title next { title others(limit: 1) { rating } } } } }');
    const next = { title: 'Grande Sertão', others: [{ rating: 3 }] };
    expect(answer).toEqual({
      data: {
        bestReviews: [{ book: { title: 'Dom Casmurro', next } }, { book: { title: 'Grande Sertão', next: null } }],
      },
    });
  });

  test('makes one of the fields that are chosen in several places', async () => {
    const again = '... { bestReviews { book { title next { title } } stars } }';
    const answer = await joinedAnswer(`{ bestReviews { book { next { binding } binding } } ${again} }`);
    const book = { next: { binding: 'SOFT', title: 'Grande Sertão' }, binding: 'HARD', title: 'Dom Casmurro' };
    expect(JSON.stringify(answer.data?.['bestReviews'])).toContain(JSON.stringify({ book, stars: 5 }));
  });

  test.each([
    ['{ book(id: "1") { __proto__: title rating } }', '{"book":{"__proto__":"Dom Casmurro","rating":3}}'],
    ['{ __proto__: book(id: "1") { title rating } }', '{"__proto__":{"title":"Dom Casmurro","rating":3}}'],
    [
      '{ constructor: book(id: "1") { toString: rating valueOf: title } }',
      '{"constructor":{"toString":3,"valueOf":"Dom Casmurro"}}',
    ],
  ])('may name its fields like what every object inherits: %s', async (text, data) => {
    expect(JSON.stringify((await joinedAnswer(text)).data)).toBe(data);
  });

  test('answers what the others have when a subgraph answers no data at all', async () => {
    const extensions = { code: 'UNAVAILABLE', statusCode: 503, requestId: 'r-7' };
    const down = changed('reviews', () => ({
      execute: () => Promise.resolve({ errors: [new GraphQLError('Not now', { extensions })] }),
    }));
    const answer = await joinedAnswer('{ books { title dispute } book(id: "1") { rating } }', {}, down);
    expect(answer.data).toMatchObject({ books: { length: 3 }, book: null });
    expect(answer.errors).toEqual([
      { message: 'Not now', extensions },
      { message: 'Not now', extensions },
    ]);
  });

  test.each<[string, () => Promise<Answer>]>([
    ['fails', () => Promise.reject(new Error('secret'))],
    ['answers fewer entities than it was asked for', () => Promise.resolve({ data: { _entities: [] } })],
  ])('is a fault of the house, and no more, where a subgraph %s', async (_what, execute) => {
    const answer = await joinedAnswer(
      '{ book(id: "1") { title dispute } }',
      {},
      changed('reviews', () => ({ execute })),
    );
    expect(answer.data).toEqual({ book: { title: 'Dom Casmurro', dispute: null } });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'INTERNAL', requestId: 'r-7' } }]);
    expect(JSON.stringify(answer.errors)).not.toContain('secret');
  });

  test('has nothing where a subgraph answers what is not of the type', async () => {
    const odd = changed('reviews', () => ({
      execute: () => Promise.resolve({ data: { _entities: [{ rating: 'three', dispute: 1.5 }] } }),
    }));
    const answer = await joinedAnswer('{ book(id: "1") { dispute } again: book(id: "1") { rating } }', {}, odd);
    expect(answer.data).toEqual({ book: { dispute: null }, again: null });
    expect(faultsOf(answer)).toEqual(['[["again","rating"],"NOT_FOUND"]', '[["book","dispute"],"NOT_FOUND"]']);
  });

  test('asks nobody for more of what is not there', async () => {
    const never = changed('reviews', () => ({ execute: () => Promise.reject(new Error('This was not to be asked')) }));
    const text = 'query ($id: ID!) { book(id: $id) { title rating } find(id: $id) { ... on Film { audience } } }';
    expect(await joinedAnswer(text, { id: '404' }, never)).toEqual({ data: { book: null, find: null } });
  });

  test('tells a subgraph only the variables that it uses, and changes none', async () => {
    const told: unknown[] = [];
    const listening = changed('reviews', (source) => ({
      execute: (request, context) => {
        told.push(request.variables);
        return source.execute(request, context);
      },
    }));
    const variables = Object.freeze({ n: 1 });
    const text = 'query ($n: Int!, $limit: Int = 1) { books(first: $n) { rating others(limit: $limit) { title } } }';
    const { joined } = waysOf(text, listening);
    if (joined === undefined) throw new Error('Not joined');
    await run(joined, variables);
    expect(told).toEqual([{ representations: [{ __typename: 'Book', id: '1' }] }]);
  });

  test.each([
    'mutation { review(bookId: "1", stars: 3) { book { title } } }',
    'query ($yes: Boolean!) { book(id: "1") { title rating @include(if: $yes) } }',
    '{ __schema { queryType { name } } book(id: "1") { rating } }',
    'query ($representations: Int) { book(id: "1") { rating } books(first: $representations) { title } }',
  ])('is left to Apollo’s executor where it needs more: %s', (text) => {
    const { joined, planned } = waysOf(text);
    expect([joined, planned]).toEqual([undefined, expect.anything()]);
  });

  test.each(['inputRewrites', 'outputRewrites', 'contextRewrites'])('is left to it where a plan has %s', (rewrites) => {
    const rewritten = (fetch: FetchNode) => Object.assign(fetch, { [rewrites]: [] });
    const { joined } = waysOf('{ book(id: "1") { title rating } }', local, rewritten);
    expect(joined).toBeUndefined();
  });
});
