import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, execute, OperationTypeNode, parse, print } from 'graphql';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { randomDocument, type RandomDocument } from '../../tests/graph/random-document.js';
import { createShop, shopRoot, type Shop } from '../../tests/graph/shop.js';
import { shopVocabulary } from '../../tests/graph/vocabularies.js';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { composeSupergraph } from './compose.js';
import { createGraph } from './graph.js';
import { digestOf } from './known-documents.js';
import type { Prepared } from './operation.js';
import { localDataSource } from './data-source.js';

const here = await createShop();
const elsewhere = await createShop({ remote: true });
const { apiSchema } = here.graph;
const contextOf = () => testContext({ manager: undefined as never, requestId: 'r-7' });

/** Returns the result of GraphQL's own executor on the whole graph. */
async function wanted({ text, variables }: RandomDocument, rootValue = shopRoot): Promise<GraphResult> {
  return await execute({ schema: apiSchema, document: parse(text), rootValue, variableValues: variables });
}

function expectSame(answer: GraphResult, oracle: GraphResult): void {
  expect(JSON.stringify(answer.data)).toBe(JSON.stringify(oracle.data));
  expect((answer.errors ?? []).length > 0).toBe((oracle.errors ?? []).length > 0);
}

/** Leaves out an operation that the accelerator has no plan for, which is known once it has run: Apollo Gateway is wrong in cases that this schema has on purpose (gateway/README.md). */
function requirePlanned({ supergraph }: Shop, { document }: Prepared): void {
  fc.pre(supergraph.known.get(digestOf(print(document), '')) !== 'null');
}

async function ask(text: string, variables: Record<string, unknown> = {}, { graph } = here): Promise<GraphResult> {
  const answer = await graph.run(graph.prepare(text), variables, contextOf());
  return JSON.parse(JSON.stringify(answer)) as GraphResult;
}

/** Number of documents of each kind of operation that are compared with GraphQL's executor. */
const numRuns = 60;
/** Planning takes most of the time, and processors may be busy. */
const timeoutMs = 120_000;
const random = (operation: OperationTypeNode, conditions: boolean) =>
  randomDocument(apiSchema, operation, shopVocabulary(conditions));

describe('any valid document means what GraphQL says', () => {
  test.each([
    [OperationTypeNode.QUERY, true],
    [OperationTypeNode.QUERY, false],
    [OperationTypeNode.MUTATION, true],
    [OperationTypeNode.MUTATION, false],
  ])(
    'as a %s (with @skip and @include: %s), its subgraphs here or elsewhere',
    async (operation, conditions) => {
      await fc.assert(
        fc.asyncProperty(random(operation, conditions), async (document) => {
          const oracle = await wanted(document);
          for (const shop of [here, elsewhere]) {
            const operation = shop.graph.prepare(document.text);
            const answer = await shop.graph.run(operation, document.variables, contextOf());
            requirePlanned(shop, operation);
            expectSame(answer, oracle);
          }
        }),
        { numRuns },
      );
    },
    timeoutMs,
  );

  test(
    'as a subscription, for each event',
    async () => {
      await fc.assert(
        fc.asyncProperty(random(OperationTypeNode.SUBSCRIPTION, true), async (document) => {
          const oracle = await wanted(document);
          const operation = here.graph.prepare(document.text);
          requirePlanned(here, operation);
          const answers = await here.graph.subscribe(operation, document.variables, contextOf());
          if (!('next' in answers)) throw new Error(JSON.stringify(answers));
          for (let event = 0; event < 2; event++) {
            expectSame(((await answers.next()) as IteratorYieldResult<GraphResult>).value, oracle);
          }
          expect((await answers.next()).done).toBe(true);
        }),
        { numRuns: numRuns / 4 },
      );
    },
    timeoutMs,
  );
});

describe('a document that one subgraph could run by itself means what it means in the graph', () => {
  test('an enum value that the graph hides is not shown', async () => {
    const answer = await ask('{ shoes { id status } item(id: "s1") { ... on Shoe { status } } }');
    expect(answer.data).toEqual({
      shoes: [
        { id: 's1', status: null },
        { id: 's2', status: 'ACTIVE' },
        { id: 's3', status: null },
      ],
      item: { status: null },
    });
    expect(JSON.stringify(answer)).not.toContain('HIDDEN');
    expect(answer.errors).toMatchObject([
      { path: ['shoes', 0, 'status'], extensions: { code: 'NOT_FOUND' } },
      { path: ['item', 'status'], extensions: { code: 'NOT_FOUND' } },
    ]);
  });

  test('nor is it taken as a variable', async () => {
    const wear = 'mutation ($wear: Wear!) { wear(wear: $wear) { id } }';
    const { data, errors } = await ask(wear, { wear: { id: 's1', status: 'HIDDEN' } });
    expect([data, errors]).toMatchObject([undefined, [{ extensions: { code: 'BAD_REQUEST' } }]]);
    expect(await ask(wear, { wear: { id: 's1', status: 'SOLD' } })).toEqual({ data: { wear: { id: 's1' } } });
  });

  test('a fragment on an interface holds for what implements it in another subgraph', async () => {
    expect((await ask('{ stocked { ... on Node { id } } }')).data).toEqual({
      stocked: [{ id: 'b1' }, { id: 's3' }, { id: 's1' }, { id: 's3' }],
    });
  });

  test('one that means the same is run as it is written', async () => {
    here.requests.length = 0;
    const text = '{ stocked { ... on Book { n: shelf } ... on Shoe { pairs } } }';
    await ask(text);
    expect(here.requests.map(([name, { document }]) => [name, print(document)])).toEqual([
      ['stock', print(parse(text))],
    ]);
  });
});

describe('a plan', () => {
  test.each([
    ['0', 'count', 0],
    ['false', 'worn', false],
    ["''", 'label', ''],
  ])('keeps %s under a name for which two types have different fields', async (_what, field, value) => {
    const answer = await ask(`{ items { ... on Shoe { ${field} } ... on Book { ${field} } } }`);
    expect(answer.errors).toBeUndefined();
    expect(answer.data?.['items']).toMatchObject([
      { [field]: value },
      { [field]: value },
      null,
      {},
      { [field]: null },
      {},
    ]);
  });

  test.each([
    [
      '{ makers(first: 1) { id: motto best { id: label count inStock } } }',
      { id: '', best: { id: 'Boot', count: 3, inStock: 7 } },
    ],
    [
      '{ makers(first: 1) { best { __typename: label price size } } }',
      { best: { __typename: 'Boot', price: 9.5, size: 42 } },
    ],
    [
      'query ($representations: Int!) { makers(first: $representations) { best { size similar(limit: $representations) { size } } } }',
      { best: { size: 42, similar: [{ size: 0 }] } },
    ],
  ])('lets a caller take the names by which objects are known: %s', async (text, maker) => {
    expect(await ask(text, { representations: 1 })).toEqual({ data: { makers: [maker] } });
  });

  test.each([
    ['score @include(if: $yes)', { score: 5 }],
    ['score @include(if: $yes) __typename', { score: 5, __typename: 'Song' }],
    ['__typename ... on Media { score }', { __typename: 'Song', score: 5 }],
  ])('keeps the type of what another subgraph knows by its interface: %s', async (fields, song) => {
    const text = `query ($yes: Boolean!) { media { ... on Song { ${fields} } id @include(if: $yes) } }`;
    const { data } = await ask(text, { yes: true });
    expect(data?.['media']).toContainEqual({ ...song, id: 'g1' });
  });

  test('asks a remote subgraph for each entity once, and gives it to each place', async () => {
    elsewhere.requests.length = 0;
    const answer = await ask(
      '{ items { ... on Shoe { id inStock } } stocked { ... on Shoe { size } } }',
      {},
      elsewhere,
    );
    expect(answer.data).toEqual({
      items: [{ id: 's1', inStock: 0 }, {}, null, { id: 's2', inStock: 7 }, {}, { id: 's1', inStock: 0 }],
      stocked: [{}, { size: 38 }, { size: 0 }, { size: 38 }],
    });
    const asked = elsewhere.requests.flatMap(([name, { variables = {} }]) =>
      variables['representations'] === undefined ? [] : [[name, variables['representations']]],
    );
    expect(asked).toHaveLength(2);
    expect(Object.fromEntries(asked)).toEqual({
      stock: ['s1', 's2'].map((id) => ({ __typename: 'Shoe', id })),
      catalog: ['s3', 's1'].map((id) => ({ __typename: 'Shoe', id })),
    });
  });

  test('asks for the entities of several places in one request', async () => {
    elsewhere.requests.length = 0;
    const answer = await ask('{ first { size } maker(id: "m1") { best { inStock price size } } }', {}, elsewhere);
    expect(answer).toEqual({ data: { first: { size: 0 }, maker: { best: { inStock: 7, price: 9.5, size: 42 } } } });
    expect(elsewhere.requests.map(([name]) => name).sort()).toEqual(['catalog', 'people', 'stock', 'stock']);
  });

  test('does not give one name to two fields of an object', async () => {
    const again = '... on Shoe { count0: count } ... on Book { count0: count label }';
    const text = `query ($yes: Boolean!) { items { ... on Shoe { ...Worn @include(if: $yes) } ${again} } } fragment Worn on Shoe { label }`;
    const { data } = await ask(text, { yes: true });
    expect(data?.['items']).toMatchObject([{ label: '', count0: 0 }, {}, null, { label: 'Boot', count0: 3 }, {}, {}]);
  });

  test('is found by the second planner where the first has none', async () => {
    const answer = await ask('{ first { similar(limit: 1) { shipping } ... { pairs } } first { size } }');
    expect(answer).toEqual({ data: { first: { similar: [{ shipping: 84 }], pairs: [[0, null], []], size: 0 } } });
  });

  test.each([
    [
      '{ __schema { queryType { name } } first { size } }',
      { __schema: { queryType: { name: 'Query' } }, first: { size: 0 } },
    ],
    ['{ stocked { ... on Book @skip(if: true) { count } } }', { stocked: [{}, {}, {}, {}] }],
    ['{ first @include(if: false) { size } __typename }', { __typename: 'Query' }],
    [
      'query ($no: Boolean!) { ... @include(if: $no) { ... @skip(if: $no) { makers { id } } } first { size } }',
      { first: { size: 0 } },
    ],
  ])('leaves out what is skipped, and tells the schema beside data: %s', async (text, data) => {
    expect(await ask(text, { no: false })).toEqual({ data });
  });
});

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
    import: ["@key", "@external", "@shareable"])`;
test('a valid document that the subgraphs cannot answer is refused with a sentence', async () => {
  const place = 'interface Place { id: ID! } type Query { place: Place @shareable';
  const parts = {
    hills: `${place} hill: Hill } type Hill implements Place @key(fields: "id") { id: ID! height: Int }
        type Lake implements Place @key(fields: "id") { id: ID! @external hill: Hill }`,
    lakes: `${place} lake: Lake } type Lake implements Place @key(fields: "id") { id: ID! depth: Int }
        type Hill implements Place @key(fields: "id") { id: ID! @external lake: Lake }`,
  };
  const subgraphs = Object.entries(parts).map(([name, sdl]) => ({ name, sdl: `${link} ${sdl}` }));
  // Nothing runs here: the schemas only have to differ from the graph's.
  const sources = Object.fromEntries(
    subgraphs.map(({ name }) => [name, localDataSource(buildSchema('type Query { none: Int }'), testKeyRing)]),
  );
  const graph = await createGraph({ supergraphSdl: composeSupergraph(subgraphs), sources });
  expect((await graph.run(graph.prepare('{ place { id } }'), {}, contextOf())).errors).toMatchObject([
    {
      message: expect.stringContaining('The subgraphs cannot resolve these fields together') as unknown,
      extensions: { code: 'BAD_REQUEST' },
    },
  ]);
});
