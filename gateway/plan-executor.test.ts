import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Supergraph } from '@apollo/federation-internals';
import fc from 'fast-check';
import { getOperationAST, GraphQLError, OperationTypeNode, parse, validate } from 'graphql';
import { createLocalBus } from '../shared/bus.js';
import { anonymous, type Context, type Principal } from '../shared/context.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import { apolloExecutor, apolloPlanner } from '../tests/graph/apollo-executor.js';
import { librarySubgraph } from '../tests/graph/library.js';
import { randomDocument } from '../tests/graph/random-document.js';
import { reviewsSubgraph } from '../tests/graph/reviews.js';
import { libraryVocabulary } from '../tests/graph/vocabularies.js';
import { testContext, testKeyRing } from '../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { composeSupergraph } from './compose.js';
import { apolloPlans } from './apollo-plans.js';
import type { OperationExecutor } from './operation.js';
import { withCommonScalars } from './common-scalars.js';
import { internalNames } from './internal-names.js';
import { fetchesOf } from './plan.js';
import { planExecutor } from './plan-executor.js';
import { createPlanner, plannable } from './planner.js';
import { localDataSource, type SubgraphDataSource, type SubgraphDataSources } from './data-source.js';

const built = [librarySubgraph(), reviewsSubgraph()];
const local: SubgraphDataSources = Object.fromEntries(
  built.map(({ name, schema }) => [name, localDataSource(schema, testKeyRing)] as const),
);
const supergraphSdl = composeSupergraph(built);
const nameInternally = internalNames(supergraphSdl);
const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
const api = supergraph.apiSchema();
const schemas = {
  api,
  apiSchema: withCommonScalars(api.toGraphQLJSSchema()),
  supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
};
const planner = createPlanner(undefined, apolloPlans(supergraph));
const planForApollo = apolloPlanner(supergraph);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Ways {
  readonly fetches: number;
  /** The executor under test. */
  readonly compiled: OperationExecutor;
  readonly apollo: OperationExecutor;
}

/** Creates both executors, each with the plan of its planner. */
function waysOf(text: string, sources: SubgraphDataSources = local): Ways {
  const document = parse(text);
  expect(validate(schemas.apiSchema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('A document of these tests has one operation');
  const names = nameInternally(document);
  const plan = planner(names);
  const prepared = { document, operation };
  const compiled = planExecutor(prepared, { plan, names }, sources, schemas);
  const apollo = apolloExecutor(prepared, planForApollo(plannable(names.document)), sources, schemas);
  // Compiled and interpreted documents can differ in which of several errors they report.
  for (const executor of [compiled, apollo]) executor.compile();
  return { fetches: fetchesOf(plan).length, compiled, apollo };
}

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
  executor: OperationExecutor,
  variables: Record<string, unknown>,
  parts?: Partial<Context>,
): Promise<GraphResult> {
  return executor.run(variables, contextOf(parts));
}

/** Returns the errors as a caller sees them, in an order that does not depend on which subgraph was faster. */
function errorsOf({ errors = [] }: GraphResult, { places = true } = {}): string[] {
  return errors.map(({ path, extensions }) => JSON.stringify([places && (path ?? null), extensions['code']])).sort();
}

/** Whether a path exists in the result, or would exist without a null above it. */
function isPlace(value: unknown, [key, ...rest]: readonly (string | number)[]): boolean {
  if (value === null || value === undefined) return value === null;
  return key === undefined || isPlace(Reflect.get(Object(value), key), rest);
}

/** Returns the result of our executor, after checking that Apollo's executor has the same. */
async function mergedResult(
  text: string,
  variables: Record<string, unknown> = {},
  sources?: SubgraphDataSources,
): Promise<GraphResult> {
  const { compiled, apollo } = waysOf(text, sources);
  const [answer, other] = [await run(compiled, variables), await run(apollo, variables)];
  expect(JSON.stringify(answer.data)).toBe(JSON.stringify(other.data));
  expect(errorsOf(answer, { places: false })).toEqual(errorsOf(other, { places: false }));
  return JSON.parse(JSON.stringify(answer)) as GraphResult;
}

/**
 * Compares a result with that of Apollo's executor, including the order of the fields. Where some entities of a list were not requested,
 * Apollo's errors have the places of other entities.
 */
function expectSame(text: string, answer: GraphResult, other: GraphResult): void {
  expect(JSON.stringify(answer.data)).toBe(JSON.stringify(other.data));
  const conditional = /@skip|@include/.test(text);
  const places = !text.includes('works') && !conditional;
  expect(errorsOf(answer, { places })).toEqual(errorsOf(other, { places }));
  // Apollo's planner also fetches the required fields of a field that a condition leaves out: such an error has a place that is not in the result.
  if (conditional) return;
  for (const { path = [] } of answer.errors ?? []) expect(isPlace(answer.data, path)).toBe(true);
}

/** Returns the sources, with one of them changed. */
function changed(
  name: string,
  change: (source: SubgraphDataSource) => Partial<SubgraphDataSource>,
): SubgraphDataSources {
  const source = local[name];
  if (source === undefined) throw new Error(`There is no ${name}`);
  return { ...local, [name]: { ...source, ...change(source) } };
}

describe('is answered as Apollo’s executor answers it, to the order of the fields', () => {
  test.each([
    [OperationTypeNode.QUERY, 150],
    [OperationTypeNode.MUTATION, 40],
  ] as const)('any %s', async (operation, numRuns) => {
    let several = 0;
    const documents = randomDocument(schemas.apiSchema, operation, libraryVocabulary);
    await fc.assert(
      fc.asyncProperty(documents, async ({ text, variables }) => {
        const { fetches, compiled, apollo } = waysOf(text);
        if (fetches > 1) several++;
        const parts = { principal: session };
        expectSame(text, await run(compiled, variables, parts), await run(apollo, variables, parts));
      }),
      { numRuns },
    );
    expect(several).toBeGreaterThan(numRuns / 3);
  });

  test('any subscription, for an event', async () => {
    const documents = randomDocument(schemas.apiSchema, OperationTypeNode.SUBSCRIPTION, libraryVocabulary);
    await fc.assert(
      fc.asyncProperty(documents, async ({ text, variables }) => {
        const { compiled, apollo } = waysOf(text);
        const [answer, other] = await Promise.all(
          [compiled, apollo].map(async (executor) => {
            const bus = createLocalBus();
            const answers = await executor.subscribe(variables, contextOf({ principal: session, bus }));
            if (!('next' in answers)) throw new Error(JSON.stringify(answers));
            await bus.publish('book', { id: '1', what: 'moved' });
            const event = await answers.next();
            await answers.return?.();
            return event.value;
          }),
        );
        if (answer === undefined || other === undefined) throw new Error('Both were asked');
        expectSame(text, answer, other);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a query of several subgraphs', () => {
  test('keeps the fields of a fragment on the type of an object within one on a wider type', async () => {
    const { compiled } = waysOf('{ book(id: "1") { ... on Work { title ... on Book { rating } } } }');
    expect(await run(compiled, {})).toEqual({
      data: { book: { title: 'Dom Casmurro', rating: 3 } },
    });
  });

  test('keeps the other entities of a list when one fails, and says where', async () => {
    const answer = await mergedResult('{ books { title verdict } shelves { dispute } }');
    expect(answer.data).toEqual(null);
    expect(errorsOf(answer)).toEqual([
      '[["books",1,"verdict"],"UNPROCESSABLE"]',
      '[["shelves",0,1,"dispute"],"CONFLICT"]',
    ]);
    const gaps = await mergedResult('{ gaps { title verdict } }');
    expect(gaps.data).toEqual({
      gaps: [
        [null, null, { title: 'Grande Sertão', verdict: 'Verdict 3' }],
        [{ title: 'Dom Casmurro', verdict: 'Verdict 1' }],
      ],
    });
    expect(errorsOf(gaps)).toEqual(['[["gaps",0,1,"verdict"],"UNPROCESSABLE"]']);
  });

  test('names the place of the entity that failed, where others of its list were not asked for', async () => {
    const answer = await mergedResult('{ works { title ... on Book { dispute } } }');
    expect(errorsOf(answer)).toEqual(['[["works",1,"dispute"],"CONFLICT"]']);
    expect(answer.errors).toMatchObject([{ message: 'Disputed', extensions: { statusCode: 409, requestId: 'r-7' } }]);
    expect(JSON.stringify(answer.errors)).not.toMatch(/library|reviews|service/i);
  });

  test('says so where a subgraph has nothing for a reference', async () => {
    const answer = await mergedResult('{ book(id: "2") { next { id title } } }');
    expect(answer.data).toEqual({ book: { next: null } });
    expect(errorsOf(answer)).toEqual(['[["book","next","title"],"NOT_FOUND"]']);
  });

  test('says nothing of missing parts where an error says enough', async () => {
    const answer = await mergedResult('{ discussed { id title } }');
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
    const asked: string[] = [];
    let open = (): void => undefined;
    const both = new Promise<void>((resolve) => (open = resolve));
    const waiting: SubgraphDataSources = Object.fromEntries(
      Object.entries(local).map(([name, source]) => {
        const execute: SubgraphDataSource['execute'] = async (request, context) => {
          if (asked.push(name) === 2) open();
          await both;
          return source.execute(request, context);
        };
        return [name, { ...source, execute }];
      }),
    );
    const answer = await mergedResult('{ book(id: "1") { title } bestReviews { stars } }', {}, waiting);
    expect(answer.data).toEqual({ book: { title: 'Dom Casmurro' }, bestReviews: [{ stars: 5 }, { stars: 4 }] });
  });

  test('reaches entities of entities', async () => {
    const answer = await mergedResult('{ bestReviews { book { title next { title others(limit: 1) { rating } } } } }');
    const next = { title: 'Grande Sertão', others: [{ rating: 3 }] };
    expect(answer).toEqual({
      data: {
        bestReviews: [{ book: { title: 'Dom Casmurro', next } }, { book: { title: 'Grande Sertão', next: null } }],
      },
    });
  });

  test('makes one of the fields that are chosen in several places', async () => {
    const again = '... { bestReviews { book { title next { title } } stars } }';
    const answer = await mergedResult(`{ bestReviews { book { next { binding } binding } } ${again} }`);
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
    expect(JSON.stringify((await mergedResult(text)).data)).toBe(data);
  });

  test('answers what the others have when a subgraph answers no data at all', async () => {
    const extensions = { code: 'UNAVAILABLE', statusCode: 503, requestId: 'r-7' };
    const down = changed('reviews', () => ({
      execute: () => Promise.resolve({ errors: [new GraphQLError('Not now', { extensions })] }),
    }));
    const answer = await mergedResult('{ books { title dispute } book(id: "1") { rating } }', {}, down);
    expect(answer.data).toMatchObject({ books: { length: 3 }, book: null });
    expect(answer.errors).toEqual([
      { message: 'Not now', extensions },
      { message: 'Not now', extensions },
    ]);
  });

  test.each<[string, () => Promise<GraphResult>]>([
    ['fails', () => Promise.reject(new Error('secret'))],
    ['answers fewer entities than it was asked for', () => Promise.resolve({ data: { _entities: [] } })],
  ])('is a fault of the house, and no more, where a subgraph %s', async (_what, execute) => {
    const answer = await mergedResult(
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
    const answer = await mergedResult('{ book(id: "1") { dispute } again: book(id: "1") { rating } }', {}, odd);
    expect(answer.data).toEqual({ book: { dispute: null }, again: null });
    expect(errorsOf(answer)).toEqual(['[["again","rating"],"NOT_FOUND"]', '[["book","dispute"],"NOT_FOUND"]']);
  });

  test('asks nobody for more of what is not there', async () => {
    const never = changed('reviews', () => ({ execute: () => Promise.reject(new Error('This was not to be asked')) }));
    const text = 'query ($id: ID!) { book(id: $id) { title rating } find(id: $id) { ... on Film { audience } } }';
    expect(await mergedResult(text, { id: '404' }, never)).toEqual({ data: { book: null, find: null } });
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
    await run(waysOf(text, listening).compiled, variables);
    expect(told).toEqual([{ representations: [{ __typename: 'Book', id: '1' }] }]);
  });

  test('refuses a condition that is null', async () => {
    const text = 'query ($yes: Boolean = true) { book(id: "1") { title rating @include(if: $yes) } }';
    await expect(run(waysOf(text).compiled, { yes: null })).rejects.toMatchObject({
      extensions: { code: 'BAD_REQUEST', details: [{ path: 'yes' }] },
    });
  });
});
