import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anonymous, type Context, type Idempotency, type Principal } from '../../shared/kernel/context.js';
import { createLog } from '../../shared/kernel/log.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { librarySubgraph } from '../../tests/graph/library.js';
import { ratingLoads, reviewsSubgraph } from '../../tests/graph/reviews.js';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { composeSupergraph } from './compose.js';
import { createGraph } from './graph.js';
import { localDataSource } from './data-source.js';

const session: Principal = { kind: 'SESSION', id: 's1', ownerId: 'ana', scopes: ['confirmed'] };
const library = librarySubgraph();
const reviews = reviewsSubgraph();
const parts = {
  supergraphSdl: composeSupergraph([library, reviews]),
  sources: {
    library: localDataSource(library.schema, testKeyRing),
    reviews: localDataSource(reviews.schema, testKeyRing),
  },
};
let graph = await createGraph(parts);

const lines: string[] = [];
const log = createLog('info', { write: (line) => lines.push(line) });
const database = await openTestDatabase();
afterAll(() => database.close());

function contextOf(parts: Partial<Context> = {}): Context {
  return testContext({ manager: database.dataSource.manager, principal: anonymous('192.0.2.1'), log, ...parts });
}

async function run(
  source: string,
  variables: Record<string, unknown> = {},
  context: Context = contextOf(),
): Promise<GraphResult> {
  const answer = await graph.run(graph.prepare(source), variables, context);
  return JSON.parse(JSON.stringify(answer)) as GraphResult;
}

describe.each([true, false])('the graph (accelerated: %s)', (accelerated) => {
  beforeAll(async () => {
    graph = await createGraph({ ...parts, accelerated });
  });

  test('answers from one subgraph, in the form of the document that the caller wrote', async () => {
    const answer = await run(
      'query ($id: ID!) { b: book(id: $id) { ...T } } fragment T on Book { t: title __typename }',
      { id: '2' },
    );
    expect(answer).toEqual({ data: { b: { t: 'Vidas Secas', __typename: 'Book' } } });
  });

  test('joins two subgraphs, loading a relation once for the whole list', async () => {
    ratingLoads.length = 0;
    const answer = await run(
      'query ($n: Int!) { books(first: $n) { title rating } bestReviews { stars book { title } } }',
      { n: 3 },
    );
    expect(answer).toEqual({
      data: {
        books: [
          { title: 'Dom Casmurro', rating: 3 },
          { title: 'Vidas Secas', rating: 4 },
          { title: 'Grande Sertão', rating: 5 },
        ],
        bestReviews: [
          { stars: 5, book: { title: 'Dom Casmurro' } },
          { stars: 4, book: { title: 'Grande Sertão' } },
        ],
      },
    });
    expect(ratingLoads).toEqual([['1', '2', '3']]);
  });

  test.each([
    ['{ strictBook(id: "9") { title } }', ['strictBook'], 'NOT_FOUND'],
    ['{ strictBook(id: "9") { title rating } }', ['strictBook'], 'NOT_FOUND'],
    ['{ books { id dispute } }', ['books', 1, 'dispute'], 'CONFLICT'],
    ['{ book(id: "1") { likedByMe } }', ['book', 'likedByMe'], 'UNAUTHORIZED'],
    ['{ broken books { rating } }', ['broken'], 'INTERNAL'],
  ])('names the place and the fault, and no service: %s', async (source, path, code) => {
    const { errors } = await run(source, {}, contextOf({ requestId: 'r-9' }));
    expect(errors).toMatchObject([{ path, extensions: { code, requestId: 'r-9' } }]);
    expect(JSON.stringify(errors)).not.toMatch(/library|reviews|secret|service/i);
  });

  test('says so where a subgraph has nothing for a reference', async () => {
    const source = 'mutation { review(bookId: "404", stars: 1) { stars book { id title } } }';
    const { data, errors } = await run(source, {}, contextOf({ principal: session }));
    expect(data).toEqual({ review: null });
    expect(errors).toMatchObject([{ path: ['review', 'book', 'title'], extensions: { code: 'NOT_FOUND' } }]);
  });

  test('answers introspection from what callers see', async () => {
    const { data } = await run('{ __schema { queryType { fields { name } } } }');
    const names = JSON.stringify(data);
    expect(names).toContain('bestReviews');
    expect(names).not.toContain('_entities');
  });

  test.each([
    ['{ books { nothing } }', 'Cannot query field "nothing"'],
    ['{ books {', 'Syntax Error'],
    ['query A { books { id } } query B { books { id } }', 'which operation to run'],
    ['{ _entities(representations: []) { __typename } }', 'Cannot query field "_entities"'],
  ])('refuses %s', (source, message) => {
    expect(() => graph.prepare(source)).toThrow(message);
  });

  test('runs the operation that is meant', async () => {
    const prepared = graph.prepare('query A { a: echo } query B { b: echo(price: "2") }', { operationName: 'B' });
    expect(await graph.run(prepared, {}, contextOf())).toEqual({ data: { b: '2' } });
  });

  test('half a character is refused in every text, by its place', async () => {
    const { errors } = await run('query ($id: ID!) { strictBook(id: $id) { id } }', { id: 'a\ud83d' });
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', details: [{ path: 'id', rule: 'WELL_FORMED' }] } },
    ]);
  });

  test('runs mutations in the order in which they stand', async () => {
    const source =
      'mutation { a: note(text: "one") b: review(bookId: "1", stars: 3) { stars book { title } } c: note(text: "two") }';
    const { data } = await run(source, {}, contextOf({ principal: session }));
    expect(data).toEqual({ a: 'one', b: { stars: 3, book: { title: 'Dom Casmurro' } }, c: 'two' });
    const rows: { key: string }[] = await database.dataSource.query('SELECT key FROM shared.outbox ORDER BY position');
    expect(rows.slice(-2).map((row) => row.key)).toEqual(['one', 'two']);
  });

  test('keeps one idempotency key for one mutation', async () => {
    const idempotency = (): Idempotency => ({
      key: `k-${accelerated}`,
      owner: 'ana',
      operation: 'POST /graphql',
      digest: Buffer.from('1'),
      replayed: false,
    });
    const two = 'mutation { note(text: "x") review(bookId: "1", stars: 3) { stars } }';
    const refused = await run(two, {}, contextOf({ principal: session, idempotency: idempotency() }));
    expect(refused.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);

    const one = 'mutation { review(bookId: "1", stars: 3) { stars book { title } } }';
    const again = idempotency();
    const first = await run(one, {}, contextOf({ principal: session, idempotency: idempotency() }));
    const second = await run(one, {}, contextOf({ principal: session, idempotency: again }));
    expect(first.data).toEqual({ review: { stars: 3, book: { title: 'Dom Casmurro' } } });
    expect(second).toEqual(first);
    expect(again.replayed).toBe(true);
  });
});
