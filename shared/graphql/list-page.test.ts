import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testKeyRing } from '../../tests/kit/context.js';
import { createCursorCodec } from './cursor.js';
import { numberKey, openPage, pageOfList, type PageInput } from './list-page.js';

const codec = createCursorCodec(testKeyRing, 'things');

interface Item {
  readonly day: number;
  readonly id: number;
}

const keys = [{ of: ({ day }: Item) => numberKey(day), descending: true }, { of: ({ id }: Item) => numberKey(id) }];
const sorted = (items: readonly Item[]) => items.toSorted((left, right) => right.day - left.day || left.id - right.id);
const lists = fc
  .uniqueArray(fc.record({ day: fc.nat(5), id: fc.nat(200) }), { selector: ({ id }) => id, maxLength: 40 })
  .map(sorted);
const pageOf = (items: readonly Item[], input: Partial<PageInput>) =>
  pageOfList(codec, items, { limit: null, cursor: null, ...input }, { scope: 'all', keys, usual: 7 });

test('pages forward are the whole list, and pages backward too, in the order of the list', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 10 }), (items, size) => {
      const forward: Item[] = [];
      let cursor: string | null = null;
      for (let more = true; more;) {
        const page = pageOf(items, { limit: size, cursor });
        expect(page.hasPrevious).toBe(forward.length > 0);
        forward.push(...page.rows);
        more = page.hasNext;
        cursor = page.cursorAt(-1);
      }
      expect(forward).toEqual(items);
      const backward: Item[] = [];
      let before: string | null = null;
      for (let more = true; more;) {
        const page = pageOf(items, { last: size, before });
        expect(page.hasNext).toBe(backward.length > 0);
        backward.unshift(...page.rows);
        more = page.hasPrevious;
        before = page.cursorAt(0);
      }
      expect(backward).toEqual(items);
    }),
  );
});

test('a cursor keeps its place when items around it come and go, its own among them', () => {
  fc.assert(
    fc.property(lists, lists, fc.nat(), (items, others, at) => {
      fc.pre(items.length > 0);
      const item = items[at % items.length];
      const cursor = pageOf(items, { limit: 100 }).cursorAt(at % items.length);
      const later = others.filter(({ id }) => id !== item?.id);
      const page = pageOf(later, { limit: 100, cursor });
      const expected = sorted([...later, ...(item === undefined ? [] : [item])]);
      expect(page.rows).toEqual(expected.slice(expected.findIndex(({ id }) => id === item?.id) + 1));
    }),
  );
});

test('arguments of both directions are refused, each with its name', () => {
  const list = { scope: 'all' };
  for (const input of [{ limit: 1 }, { cursor: 'x' }])
    expect(() => openPage(codec, { limit: null, cursor: null, ...input, last: 1, before: 'y' }, list)).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        extensions: expect.objectContaining({
          details: [expect.objectContaining({ path: 'last' }), expect.objectContaining({ path: 'before' })],
        }),
      }),
    );
});

test('numbers out of bounds and cursors of other lists are refused by the name of their argument', () => {
  const refused = (input: Partial<PageInput>, path: string) => {
    expect(() => openPage(codec, { limit: null, cursor: null, ...input }, { scope: 'all', most: 50 })).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        extensions: expect.objectContaining({ details: [expect.objectContaining({ path })] }),
      }),
    );
  };
  refused({ limit: 0 }, 'first');
  refused({ last: 51 }, 'last');
  refused({ cursor: codec.seal('other', ['1']) }, 'after');
  refused({ before: codec.seal('other', ['1']) }, 'before');
});
