import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, type DocumentNode, type GraphQLError } from 'graphql';
import fc from 'fast-check';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { librarySubgraph } from '../../tests/graph/library.js';
import { ratingLoads, reviewsSubgraph } from '../../tests/graph/reviews.js';
import { createLocalBus } from '../events/bus.js';
import { anonymous, type Context, type Principal } from '../kernel/context.js';
import { createLog } from '../kernel/log.js';
import { createExecutor } from './execute.js';
import type { GraphResult, GraphResultStream, Executor } from './executor.js';

const session: Principal = { kind: 'SESSION', id: 's1', ownerId: 'ana', scopes: ['confirmed'] };
const apiKey: Principal = { kind: 'API_KEY', id: 'k1', ownerId: 'ana', scopes: [] };

const lines: string[] = [];
const log = createLog('info', { write: (line) => lines.push(line) });
const library = createExecutor(librarySubgraph().schema, testKeyRing);
const reviews = createExecutor(reviewsSubgraph().schema, testKeyRing);

const database = await openTestDatabase();
afterAll(() => database.close());

function contextOf(parts: Partial<Context> = {}): Context {
  return testContext({ manager: database.dataSource.manager, principal: anonymous('192.0.2.1'), log, ...parts });
}

/** Runs a document twice: with graphql-js the first time and with graphql-jit the second. */
async function bothWays(
  executor: Executor,
  source: string | DocumentNode,
  variables: Record<string, unknown> = {},
  context: Context = contextOf(),
): Promise<GraphResult> {
  const document = typeof source === 'string' ? parse(source) : source;
  const run = async (): Promise<unknown> => {
    const answer = await executor.execute({ document, variables }, { ...context, loaders: new Map() });
    return JSON.parse(JSON.stringify(answer));
  };
  const interpreted = await run();
  const compiled = await run();
  expect(compiled).toEqual(interpreted);
  return compiled as GraphResult;
}

function stream(answer: GraphResultStream | GraphResult): GraphResultStream {
  if (!('next' in answer)) throw new Error(`No stream: ${JSON.stringify(answer)}`);
  return answer;
}

describe('compiled and interpreted documents answer the same', () => {
  test.each([
    ['{ books { id title price published binding } }', {}],
    [
      'query ($n: Int!) { books(first: $n) { id ...More @include(if: true) } } fragment More on Book { others(limit: 1) { title } }',
      { n: 2 },
    ],
    [
      'query ($s: Boolean!) { book(id: "1") { id title @skip(if: $s) place { __typename ... on Shelf { number } ... on Loan { until } } } }',
      { s: true },
    ],
    ['{ a: book(id: "1") { __typename t: title } b: book(id: "none") { id } }', {}],
    ['{ books { place { ... on Loan { until } } others { others { id } } } }', {}],
    ['{ echo }', {}],
    ['{ echo(price: "10.00") }', {}],
    ['query ($p: Decimal! = "2.50") { echo(price: $p) }', {}],
    ['query ($p: Decimal!) { echo(price: $p) }', { p: '123456789012345678901234567890.99' }],
    ['{ strictBook(id: "none") { id } }', {}],
    ['{ ok: echo broken }', {}],
    ['{ reader }', {}],
    ['{ book(id: "1") { title originator } }', {}],
    [
      'query ($p: Decimal!, $n: Int) { echo(price: $p) books(first: 1) { others(limit: 1) { id } } again: books(first: 3) { id } }',
      { p: '1', n: null },
    ],
  ])('%s', async (document, variables) => {
    expect(await bothWays(library, document, variables)).toHaveProperty('data');
  });

  test('whatever the filter, given by variables or in the text', async () => {
    const binding = fc.constantFrom('HARD', 'SOFT');
    const price = fc.record(
      { min: fc.constantFrom('1.00', '2'), max: fc.option(fc.constant('9')) },
      { requiredKeys: [] },
    );
    const filter = fc.record(
      {
        text: fc.option(fc.string()),
        bindings: fc.oneof(binding, fc.array(binding, { maxLength: 3 })),
        price: fc.option(price),
        wrong: fc.constant(1),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.option(filter, { nil: undefined }),
        fc.constantFrom('SOFT', undefined, 'NONE', null),
        async (given, only) => {
          const [byFilter, byParts] = [
            'query ($filter: BookFilter) { search(filter: $filter) }',
            'query ($only: Binding = HARD, $min: Decimal! = "3") { search(filter: { bindings: [$only, HARD], price: { min: $min } }) }',
          ];
          await bothWays(library, byFilter, given === undefined ? {} : { filter: given });
          await bothWays(library, byParts, only === undefined ? {} : { only });
          if (given !== undefined && !('wrong' in given)) {
            const literal = JSON.stringify(given)
              .replaceAll(/"(\w+)":/g, '$1:')
              .replaceAll(/"(HARD|SOFT)"/g, '$1');
            await bothWays(library, `{ search(filter: ${literal}) }`);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('and so do entities that come by reference, one failing without the others', async () => {
    const representations = ['1', '2', 'gone', '3'].map((id) => ({ __typename: 'Book', id }));
    const document = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Book { id rating dispute } } }`;
    ratingLoads.length = 0;
    const answer = await bothWays(reviews, document, { representations });
    expect(answer.data).toEqual({
      _entities: [
        { id: '1', rating: 3, dispute: 0 },
        { id: '2', rating: 4, dispute: null },
        null,
        { id: '3', rating: 5, dispute: 0 },
      ],
    });
    expect(answer.errors).toMatchObject([
      { path: ['_entities', 1, 'dispute'], extensions: { code: 'CONFLICT', statusCode: 409 } },
    ]);
    expect(ratingLoads).toEqual([
      ['1', '2', '3'],
      ['1', '2', '3'],
    ]);
  });
});

describe('what a caller sees of an error', () => {
  test('is nothing of what went wrong inside, which is in the log under the same id', async () => {
    lines.length = 0;
    const answer = await bothWays(
      library,
      '{ broken }',
      {},
      contextOf({ requestId: 'r-2', log: log.child({ requestId: 'r-2' }) }),
    );
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(answer.errors).toMatchObject([{ extensions: { code: 'INTERNAL', statusCode: 500, requestId: 'r-2' } }]);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain('secret: connection string');
      expect(JSON.parse(line)).toMatchObject({ requestId: 'r-2' });
    }
  });

  test('does not name a variable that was left out and has a default, beside one that is wrong', async () => {
    const source = 'query ($price: Decimal, $first: Int! = 3) { echo(price: $price) books(first: $first) { id } }';
    const { errors } = await bothWays(library, source, { price: 1.5 });
    expect(errors).toMatchObject([{ extensions: { details: [{ path: 'price' }] } }]);
    expect(errors?.[0]?.extensions['details']).toHaveLength(1);
  });

  test('names 100 of the errors of variables, and says that there are more', async () => {
    const bindings = Array.from({ length: 101 }, () => 'PAPER');
    const source = 'query ($filter: BookFilter) { search(filter: $filter) }';
    const { errors } = await bothWays(library, source, { filter: { bindings } });
    const [{ message, extensions }] = errors as [GraphQLError];
    expect(message).toBe('The request is not valid: the first 100 of its errors are listed');
    expect(extensions['details']).toHaveLength(100);
    const fewer = await bothWays(library, source, { filter: { bindings: bindings.slice(1) } });
    expect(fewer.errors).toMatchObject([{ message: 'The request is not valid' }]);
  });

  test('is a refusal when a variable that may be null stands where null may not', async () => {
    const answer = await bothWays(library, 'query ($n: Int = 1) { books(first: $n) { id } }', { n: null });
    expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', statusCode: 400 } }]);
  });
});

describe('access', () => {
  test.each([
    ['nobody', anonymous('192.0.2.1'), '{ reader }', 'UNAUTHORIZED'],
    ['an API key', apiKey, '{ reader }', 'FORBIDDEN'],
    ['nobody', anonymous('192.0.2.1'), 'mutation { note(text: "x") }', 'UNAUTHORIZED'],
    ['a session', session, '{ book(id: "1") { originator } }', 'FORBIDDEN'],
  ])('refuses %s', async (_who, principal, document, code) => {
    const { errors } = await bothWays(library, document, {}, contextOf({ principal }));
    expect(errors).toMatchObject([{ extensions: { code } }]);
  });

  test('lets in whom it names', async () => {
    const { data } = await bothWays(library, '{ reader }', {}, contextOf({ principal: session }));
    expect(data).toEqual({ reader: 'ana' });
  });

  test('guards a subscription when it begins', async () => {
    const document = parse('subscription { bookChanged(id: "1") { what } }');
    const refused = await library.subscribe({ document }, contextOf());
    expect(JSON.parse(JSON.stringify(refused))).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED' } }] });
  });
});

describe('a subscription', () => {
  const document = parse('subscription ($id: ID!) { bookChanged(id: $id) { what book { title others { id } } } }');

  test('that breaks says so, without saying what broke, and ends', async () => {
    const bus = createLocalBus();
    const answers = stream(
      await library.subscribe({ document, variables: { id: '1' } }, contextOf({ principal: session, bus })),
    );
    await bus.publish('book', { id: '1', what: 'crash' });
    const { value } = await answers.next();
    expect(value?.errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
    expect(JSON.stringify(value)).not.toContain('secret');
    expect((await answers.next()).done).toBe(true);
  });

  test('that falls behind ends rather than grow', async () => {
    const bus = createLocalBus();
    const answers = stream(
      await library.subscribe({ document, variables: { id: '1' } }, contextOf({ principal: session, bus })),
    );
    for (let count = 0; count < 20; count++) await bus.publish('book', { id: '1', what: `${count}` });
    const received: GraphResult[] = [];
    for await (const answer of answers) received.push(answer);
    expect(received).toHaveLength(9);
    expect(received.at(-1)?.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', statusCode: 503 } }]);
  });

  test('with wrong variables does not begin', async () => {
    const answer = await library.subscribe({ document, variables: {} }, contextOf({ principal: session }));
    expect(JSON.parse(JSON.stringify(answer))).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });
});
