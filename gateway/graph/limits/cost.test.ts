import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { withCostsOf } from './declared-costs.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import { costOf, type OperationCost } from './cost.js';

const source = buildSchema(`
  directive @listSize(assumedSize: Int) on FIELD_DEFINITION
  type Query {
    node(asOf: String): Node, nodes: [Node!]!, page(first: Int = 20, asOf: String): Page!, both(first: Int, last: Int): Page!, some(limit: Int): [Node!]!, any: Any
    name: String, sum(asOf: String): Int!
  }
  type Subscription { changed: Node, told(first: Int): Page }
  type Page { edges: [Edge!]! total: Int! }
  type Edge { node: Node! }
  type Node { id: ID! children: [Node!]! few: [Node!]! @listSize(assumedSize: 3) parent(asOf: String): Node last(last: Int! = 3): [Node!]! }
  type Leaf { node: Node }
  union Any = Node | Leaf
`);
const schema = withCostsOf(source, source);

function costIn(text: string): OperationCost {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('one operation');
  return costOf(schema, { document, operation });
}

const price = (text: string, variables: Variables = {}): number => costIn(text).requested(variables);

test.each<[string, Variables, number]>([
  ['{ name }', {}, 1],
  ['{ node { id } }', {}, 1],
  ['{ node { parent { id } } }', {}, 2],
  ['{ nodes { parent { id } } }', {}, 1 + 10],
  ['{ nodes { children { parent { id } } } }', {}, 1 + 10 * (1 + 10)],
  // The edges of a page are its items, counted once.
  ['{ page(first: 50) { edges { node { id } } } }', {}, 1 + 50 * (1 + 1)],
  ['{ page { edges { node { id } } } }', {}, 1 + 20 * 2],
  ['query ($n: Int) { page(first: $n) { edges { node { id } } } }', { n: 5 }, 1 + 5 * 2],
  ['query ($n: Int = 7) { page(first: $n) { edges { node { id } } } }', {}, 1 + 7 * 2],
  ['query ($n: Int) { page(first: $n) { edges { node { id } } } }', { n: null }, 1 + 20 * 2],
  ['query ($n: Int) { page(first: $n) { edges { node { id } } } }', { n: -5 }, 1 + 20 * 2],
  ['{ some { parent { id } } }', {}, 1 + 20],
  // Numbers that are refused later cost what a page without arguments does: points are whole.
  ['query ($n: Int) { page(first: $n) { edges { node { id } } } }', { n: 1.5 }, 1 + 20 * 2],
  // The largest size that is given counts, whichever argument has it.
  ['query ($n: Int) { both(first: 100, last: $n) { edges { node { id } } } }', {}, 1 + 100 * 2],
  ['query ($n: Int) { both(first: $n, last: 30) { edges { node { id } } } }', { n: 5 }, 1 + 30 * 2],
  ['query ($n: Int) { both(first: 5, last: $n) { edges { node { id } } } }', { n: 40 }, 1 + 40 * 2],
  ['{ some(limit: 2) { last { parent { id } } } }', {}, 1 + 2 * (1 + 3)],
  // The schema says how many there are.
  ['{ node { few { parent { id } } } }', {}, 1 + 1 + 3],
  ['{ node { few { id } } }', {}, 1 + 1 + 3],
  // A list within the items of a list is another list.
  ['{ some(limit: 2) { few { parent { id } } } }', {}, 1 + 2 * (1 + 3)],
  // Items that are plain values count too.
  ['{ some(limit: 1000) { id } }', {}, 1 + 1000],
  ['{ some(limit: 100) { last(last: 100) { id } } }', {}, 1 + 100 * (1 + 100)],
  ['{ page(first: 50) { total } }', {}, 1],
  ['{ any { ... on Node { parent { id } } ... on Leaf { node { id } } } }', {}, 1 + 2],
  ['{ ...F ...F } fragment F on Query { nodes { parent { id } } }', {}, 22],
  // A subscription begins with a read.
  ['subscription { changed { id } }', {}, 10],
  ['subscription { told(first: 50) { edges { node { id } } } }', {}, 1 + 50 * 2],
  // A past moment, once for all items around the field; null and an absent argument ask for the present.
  ['{ node(asOf: "2026") { id } }', {}, 1 + 100],
  ['{ sum(asOf: "2026") }', {}, 100],
  ['{ a: sum(asOf: "2026") b: sum(asOf: "2025") c: sum }', {}, 200],
  ['{ page(first: 50, asOf: "2026") { edges { node { id parent(asOf: "2025") { id } } } } }', {}, 1 + 50 * 3 + 200],
  ['{ ...F } fragment F on Query { nodes { parent(asOf: "2026") { id } } }', {}, 1 + 10 + 100],
  ['{ node(asOf: null) { id } }', {}, 1],
  ['query ($at: String) { node(asOf: $at) { id } }', {}, 1],
  ['query ($at: String) { node(asOf: $at) { id } }', { at: '2026' }, 1 + 100],
  ['query ($at: String = "2026") { node(asOf: $at) { id } }', {}, 1 + 100],
  ['query ($at: String = "2026") { node(asOf: $at) { id } }', { at: null }, 1],
  ['{ __schema { queryType { name } } }', {}, 1],
  ['{ __schema { types { fields { name } } } }', {}, 3],
])('the price of an operation %s %p: %d', (text, variables, expected) => {
  expect(price(text, variables)).toBe(expected);
});

describe('the actual cost', () => {
  const node = (children: readonly object[] = []) => ({ children, parent: null });

  test.each<[string, string, unknown, number]>([
    [
      'items that came',
      '{ page(first: 50) { edges { node { id } } } }',
      { page: { edges: [{ node: { id: '1' } }] } },
      1 + 2,
    ],
    ['no items', '{ page(first: 50) { edges { node { id } } } }', { page: { edges: [] } }, 1],
    ['no object', '{ node { parent { id } } nodes { id } }', { node: null, nodes: [] }, 1 + 1],
    [
      'nested lists',
      '{ nodes { children { parent { id } } } }',
      { nodes: [node([node(), node()]), node()] },
      1 + 2 + 2,
    ],
    ['items that are plain values', '{ some(limit: 1000) { id } }', { some: [{ id: '1' }, { id: '2' }] }, 1 + 2],
    ['a skipped field', '{ a: nodes { parent { id } } b: nodes { parent { id } } }', { a: [] }, 1],
    ['a past moment', '{ page(first: 50, asOf: "2026") { edges { node { id } } } }', { page: { edges: [] } }, 1 + 100],
    ['a result that is lost', '{ nodes { parent { id } } }', null, 1],
  ])('counts %s', (_what, text, data, expected) => {
    expect(costIn(text).actual({}, data)).toBe(expected);
  });

  test('is never above the requested cost where no list has more items than were counted', () => {
    const cost = costIn(
      'query ($n: Int!) { page(first: $n) { total edges { node { last(last: $n) { parent { id } few { id } } } } } nodes { id } }',
    );
    const last = fc.array(
      fc.record({ parent: fc.constantFrom(null, {}), few: fc.array(fc.constant({}), { maxLength: 3 }) }),
      { maxLength: 5 },
    );
    const edges = fc.array(fc.record({ node: fc.record({ last }) }), { maxLength: 5 });
    const data = fc.record({ page: fc.record({ edges }), nodes: fc.array(fc.constant({}), { maxLength: 10 }) });
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 100 }), data, (n, came) => {
        expect(cost.actual({ n }, came)).toBeLessThanOrEqual(cost.requested({ n }));
      }),
    );
  });
});

test.each<[string, string, Variables, object | undefined]>([
  [
    'by a variable',
    'query ($n: Int!) { page(first: $n) { edges { node { name: last(last: 50) { id } } } } }',
    { n: 100 },
    { path: 'page', argument: 'first', items: 100 },
  ],
  [
    'by a literal, under its alias',
    'query ($n: Int!) { page(first: $n) { edges { node { name: last(last: 50) { id } } } } }',
    { n: 10 },
    { path: 'page.edges.node.name', argument: 'last', items: 50 },
  ],
  ['by its default', '{ page { edges { node { id } } } }', {}, { path: 'page', argument: 'first', items: 20 }],
  [
    'by two arguments',
    '{ both(first: 90, last: 100) { edges { node { id } } } }',
    {},
    { path: 'both', argument: 'first" and "last', items: 100 },
  ],
  ['is none without an argument', '{ nodes { children { parent { id } } } }', {}, undefined],
])('the largest list: %s', (_what, text, variables, expected) => {
  expect(costIn(text).largest(variables)).toEqual(expected);
});
