import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonShapeError } from './json.js';

const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', '\n\r '))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !/"(__proto__|constructor)"/.test(text));

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((total, member) => total + valuesIn(member), 0);
}

type Written = string | readonly Written[] | { readonly members: readonly (readonly [Name, Written])[] };
interface Name {
  readonly name: string;
  readonly isEscaped: boolean;
}

/** Values whose objects may have a name several times, written in two ways. */
const { named } = fc.letrec<{ named: Written }>((tie) => ({
  named: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', '"a\\":{"', '"é"', '{}'),
    fc.array(tie('named'), { maxLength: 3 }),
    fc.record({
      members: fc.array(
        fc.tuple(fc.record({ name: fc.constantFrom('a', 'b', 'é', '"', ''), isEscaped: fc.boolean() }), tie('named')),
        { maxLength: 3 },
      ),
    }),
  ),
}));

function written(value: Written): string {
  if (typeof value === 'string') return value;
  if (!('members' in value)) return `[${value.map(written).join(' , ')}]`;
  const nameOf = ({ name, isEscaped }: Name) =>
    isEscaped
      ? `"${name.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
      : JSON.stringify(name);
  return `{${value.members.map(([name, member]) => `${nameOf(name)} : ${written(member)}`).join(',')}}`;
}

/** Returns the path of the first name, in the order of the text, that its object has already. */
function repeatedIn(value: Written, path: string): string | undefined {
  if (typeof value === 'string') return undefined;
  if (!('members' in value)) return firstOf(value.map((item, index) => () => repeatedIn(item, `${path}[${index}]`)));
  return firstOf(
    value.members.map(([{ name }, member], index) => () => {
      const at = path === '' ? name : `${path}.${name}`;
      return value.members.slice(0, index).some(([one]) => one.name === name) ? at : repeatedIn(member, at);
    }),
  );
}

function firstOf<T>(searches: readonly (() => T | undefined)[]): T | undefined {
  for (const search of searches) {
    const found = search();
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('the shape of a body', () => {
  test('is refused exactly from the level on that is too deep, whatever its strings hold', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 6 }), (text, most) => {
        expect(jsonShapeError(text, most) !== undefined).toBe(depthOf(JSON.parse(text)) > most);
      }),
    );
  });

  test('counts at least the values that there are, and at most twice as many', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const values = valuesIn(JSON.parse(text));
        expect(jsonShapeError(text, 64, 2 * values)).toBeUndefined();
        if (values > 3) expect(jsonShapeError(text, 64, Math.floor(values / 3))).toBeDefined();
      }),
    );
  });

  test('is read of a text that is no JSON at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('"'));
        expect(jsonShapeError(text)).toBeUndefined();
      }),
    );
    expect(jsonShapeError('['.repeat(500_000))?.message).toContain('64 levels');
  });

  test('is refused exactly where an object has a name twice, however the name is written, with its path', () => {
    fc.assert(
      fc.property(named, (value) => {
        const twice = repeatedIn(value, '');
        const error = twice === undefined ? undefined : { path: twice, message: 'is given twice: send it once' };
        expect(jsonShapeError(written(value))).toEqual(error);
      }),
      { numRuns: 1_000 },
    );
  });
});
