import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getOperationAST, Kind, parse, print, visit, type ArgumentNode, type DocumentNode } from 'graphql';
import { withCostsOf } from '../graph/declared-costs.js';
import type { Variables } from '../../shared/subgraph/variables.js';
import { costOf, type OperationCost } from './cost.js';

const source = buildSchema(`
  directive @listSize(assumedSize: Int) on FIELD_DEFINITION
  type Query {
    node(asOf: String): Node, nodes: [Node!]!, page(first: Int = 20, asOf: String): Page!, both(first: Int, last: Int): Page!, some(limit: Int): [Node!]!, any: Any
    name: String, sum(asOf: String): Int!, nodeCorrections(first: Int): Page!
  }
  type Subscription { changed: Node, told(first: Int): Page }
  type Page { edges: [Edge!]! total: Int! }
  type Edge { node: Node! }
  type Node { id: ID! children: [Node!]! few: [Node!]! @listSize(assumedSize: 3) parent(asOf: String): Node last(last: Int! = 3): [Node!]! }
  type Leaf { node: Node }
  union Any = Node | Leaf
`);
const schema = withCostsOf(source, source);

function costIn(text: string, counted: readonly string[] = []): OperationCost {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('one operation');
  return costOf(schema, { document, operation }, new Set(counted));
}

const price = (text: string, variables: Variables = {}): number => costIn(text).requested(variables);

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
    // Corrections are searched for in many tables.
    ['{ nodeCorrections(first: 30) { total } }', {}, 1 + 50 + 30],
    ['query ($n: Int) { nodeCorrections(first: $n) { edges { node { id } } } }', { n: 30 }, 1 + 30 * 2 + 50 + 30],
    ['{ __schema { queryType { name } } }', {}, 1],
    ['{ __schema { types { fields { name } } } }', {}, 3],
  ])('%s %p: %d', (text, variables, expected) => {
    expect(price(text, variables)).toBe(expected);
  });
});

describe('the items that a list can have', () => {
  const text = 'query ($n: Int!) { page(first: $n) { edges { node { few { id } } } } }';

  test('are no more than it is known to have', () => {
    const cost = costIn(text, ['page', 'other']);
    expect(cost.countedLists).toEqual(['page']);
    expect(cost.requested({ n: 100 }, new Map([['page', 7]]))).toBe(1 + 7 * 6);
    expect(cost.requested({ n: 5 }, new Map([['page', 7]]))).toBe(1 + 5 * 6);
    expect(cost.requested({ n: 100 }, new Map([['page', 0]]))).toBe(1 + 6);
    expect(cost.requested({ n: 100 })).toBe(1 + 100 * 6);
  });

  test('are counted at the root alone', () => {
    expect(costIn('{ node { last { id } } nodes { id } }', ['last']).countedLists).toEqual([]);
  });
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
    [
      'a search',
      '{ nodeCorrections(first: 30) { edges { node { id } } } }',
      { nodeCorrections: { edges: [] } },
      1 + 50 + 30,
    ],
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

describe('the advice to lower a cost', () => {
  const nested = 'query ($n: Int!) { page(first: $n) { edges { node { name: last(last: 50) { parent { id } } } } } }';

  test('names the field that costs most, its share, and each argument that would do', () => {
    // 1 + 100 * (1 + 1 + 1 + 50)
    expect(costIn(nested).requested({ n: 100 })).toBe(5301);
    expect(costIn(nested).advice({ n: 100 }, undefined, 1000)).toMatchObject({
      path: 'page.edges.node.name',
      dearest: 'page.edges.node.name is 96 % of it',
      remedy: 'lower "last" of it from 50 to at most 6, or "first" of page from 100 to at most 18',
    });
  });

  test('names all arguments where none of them suffices alone', () => {
    const advice = costIn(nested).advice({ n: 100 }, undefined, 40);
    expect(advice?.remedy).toMatch(
      /^lower "last" of it from 50 to at most \d+, and "first" of page from 100 to at most \d+$/,
    );
  });

  test('is to select less where no argument says how many items there are', () => {
    const text = '{ nodes { children { children { parent { id } } } } }';
    expect(costIn(text).advice({}, undefined, 100)).toMatchObject({
      path: 'nodes.children.children',
      remedy: selectLess,
    });
  });

  test('names the values of the request, not the number of items that is known', () => {
    const known = new Map([['page', 60]]);
    expect(costIn(nested, ['page']).advice({ n: 100 }, known, 1000)?.remedy).toContain(
      'or "first" of page from 100 to at most 18',
    );
    expect(costIn('{ page { edges { node { id } } } }').advice({}, undefined, 30)?.remedy).toBe(
      'lower "first" of it from its default of 20 to at most 14',
    );
    expect(costIn('{ both(first: 90, last: 100) { edges { node { id } } } }').advice({}, undefined, 30)?.remedy).toBe(
      'lower "first" of it from 90 and "last" from 100 to at most 14',
    );
  });

  test('is for the whole operation where many fields have the same share', () => {
    const aliases = Array.from({ length: 10 }, (_, n) => `a${n}: page(first: ${n + 40}) { edges { node { id } } }`);
    const text = `{ ${aliases.join(' ')} b: page { edges { node { id } } } }`;
    expect(costIn(text).advice({}, undefined, 600)).toMatchObject({
      path: 'a9',
      remedy: 'lower each "first" of the operation to at most 27',
    });
    expect(costIn(text).advice({}, undefined, 100)?.remedy).toBe(
      'lower each "first" of the operation to at most 4, also where its default is larger',
    );
    expect(costIn(text).advice({}, undefined, 20)?.remedy).toBe(selectLess);
  });

  test('holds below the minimum of a subscription', () => {
    const cost = costIn('subscription { told(first: 50) { edges { node { id } } } }');
    expect(cost.advice({}, undefined, 12)?.remedy).toBe('lower "first" of it from 50 to at most 5');
    expect(cost.advice({}, undefined, 9)?.remedy).toBe(selectLess);
  });

  test('is enough where it is followed to the letter', () => {
    fc.assert(
      fc.property(
        selections,
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit, size) => {
          const known = new Map([['page', size]]);
          const document = parse(`{ ${text} }`);
          const cost = costIn(print(document), ['page']);
          if (cost.requested({}, known) <= limit) return;
          const { remedy = selectLess, path = '' } = cost.advice({}, known, limit) ?? {};
          if (remedy === selectLess) return;
          for (const changes of changesIn(remedy, path)) {
            const followed = costIn(print(lowered(document, changes)), ['page']);
            expect(followed.requested({}, known)).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

const selectLess = 'select fewer fields, or send them in several requests';

/** Selections on Query and below, with aliases, and with sizes that are given or left out. */
const selections = (() => {
  const size = (name: string) => fc.option(fc.integer({ min: 0, max: 120 }).map((value) => `${name}: ${value}`));
  const sizes = (...names: string[]) =>
    fc.tuple(...names.map(size)).map((given) => {
      const present = given.filter((one) => one !== null);
      return present.length === 0 ? '' : `(${present.join(', ')})`;
    });
  const several = (one: fc.Arbitrary<string>) =>
    fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => all.map((text, n) => `a${n}: ${text}`).join(' '));
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constant('parent { id }'),
      several(
        fc.oneof(
          fc.tuple(sizes('last'), tie('node')).map(([size_, inner]) => `last${size_} { ${inner} }`),
          tie('node').map((inner) => `few { ${inner} }`),
        ),
      ),
    ),
  }));
  return several(
    fc.oneof(
      fc.tuple(sizes('first'), node).map(([given, inner]) => `page${given} { edges { node { ${inner} } } }`),
      fc.tuple(sizes('first', 'last'), node).map(([given, inner]) => `both${given} { edges { node { ${inner} } } }`),
      fc.tuple(sizes('limit'), node).map(([given, inner]) => `some${given} { ${inner} }`),
      fc.tuple(sizes('first'), node).map(([given, inner]) => `nodeCorrections${given} { edges { node { ${inner} } } }`),
      node.map((inner) => `nodes { ${inner} }`),
    ),
  );
})();

/** A number to which arguments are lowered: of the field at a place, or of all fields. */
interface Change {
  readonly place: string | undefined;
  readonly names: readonly string[];
  readonly to: number;
}

/** Reads an advice: each item of the result is a way to follow it. */
function changesIn(remedy: string, own: string): readonly (readonly Change[])[] {
  const each = /^lower each (.+) of the operation to at most (\d+)(, also where its default is larger)?$/.exec(remedy);
  const namesIn = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
  if (each !== null) return [[{ place: undefined, names: namesIn(each[1] ?? ''), to: Number(each[2]) }]];
  const parts = remedy.replace(/^lower /, '').split(/, (?:or|and) /);
  const changes = parts.map((part) => {
    const [, names = '', place = '', more = '', to] =
      /^("\w+") of (\S+) from (?:its default of )?\d+((?: and "\w+" from \d+)*) to at most (\d+)$/.exec(part) ?? [];
    expect(to).toBeDefined();
    return { place: place === 'it' ? own : place, names: namesIn(names + more), to: Number(to) };
  });
  return remedy.includes(', and ') ? [changes] : changes.map((one) => [one]);
}

/** The sizes that apply where none is given. */
const defaultSizes: Readonly<Record<string, { readonly name: string; readonly size: number }>> = {
  page: { name: 'first', size: 20 },
  both: { name: 'first', size: 20 },
  some: { name: 'limit', size: 20 },
  last: { name: 'last', size: 3 },
  nodeCorrections: { name: 'first', size: 20 },
};

/** Returns the document with the arguments lowered, as a reader of the advice would write it. */
function lowered(document: DocumentNode, changes: readonly Change[]): DocumentNode {
  const path: string[] = [];
  return visit(document, {
    Field: {
      enter: (node) => {
        path.push((node.alias ?? node.name).value);
        const usual = defaultSizes[node.name.value];
        const given = node.arguments ?? [];
        const all = given.length > 0 || usual === undefined ? given : [intArgument(usual.name, usual.size)];
        const own = changes.filter(({ place }) => place === undefined || place === path.join('.'));
        return { ...node, arguments: all.map((one) => own.reduce(loweredArgument, one)) };
      },
      leave: () => {
        path.pop();
      },
    },
  });
}

function loweredArgument(node: ArgumentNode, { names, to }: Change): ArgumentNode {
  const { name, value } = node;
  if (!names.includes(name.value) || value.kind !== Kind.INT) return node;
  return intArgument(name.value, Math.min(to, Number(value.value)));
}

function intArgument(name: string, value: number): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.INT, value: String(value) },
  };
}
