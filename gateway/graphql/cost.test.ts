import { describe, expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import type { Variables } from '../../shared/subgraph/variables.js';
import { costOf } from './cost.js';

const schema = buildSchema(`
  type Query {
    node(asOf: String): Node, nodes: [Node!]!, page(first: Int = 20, asOf: String): Page!, some(limit: Int): [Node!]!, any: Any
    name: String, sum(asOf: String): Int!, nodeCorrections(first: Int): Page!
  }
  type Subscription { changed: Node, told(first: Int): Page }
  type Page { edges: [Edge!]! total: Int! }
  type Edge { node: Node! }
  type Node { id: ID! children: [Node!]! parent(asOf: String): Node last(last: Int! = 3): [Node!]! }
  type Leaf { node: Node }
  union Any = Node | Leaf
`);

function price(text: string, variables: Variables = {}): number {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('one operation');
  return costOf(schema, { document, operation }).requested(variables);
}

describe('the price of an operation', () => {
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
    ['{ some { parent { id } } }', {}, 1 + 10],
    ['{ some(limit: 2) { last { parent { id } } } }', {}, 1 + 2 * (1 + 3)],
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
    // Corrections are searched for in many tables.
    ['{ nodeCorrections(first: 30) { total } }', {}, 1 + 50 + 30],
    ['query ($n: Int) { nodeCorrections(first: $n) { edges { node { id } } } }', { n: 30 }, 1 + 30 * 2 + 50 + 30],
    ['{ __schema { types { fields { name } } } }', {}, 100],
  ])('%s %p: %d', (text, variables, expected) => {
    expect(price(text, variables)).toBe(expected);
  });
});
