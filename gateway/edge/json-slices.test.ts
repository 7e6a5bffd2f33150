import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesOf, jsonShapeError } from './json-shape.js';
import { JsonShapeError, parseJsonInSlices } from './json-slices.js';

/** JSON texts with white space in all allowed places. */
const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', '\n\r '))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !/"(__proto__|constructor)"/.test(text));

/** Texts that are almost JSON: with one piece removed, doubled or inserted. */
const nearlyJson = fc
  .tuple(
    texts,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', ',', ':', '[', ']', '{', '}', '"', ' ', '1', ',,', '\\', '\u00a0', 'null'),
  )
  .map(([text, at, length, piece]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + piece + text.slice(from + length);
  })
  .filter((text) => !/"(__proto__|constructor)"/.test(text));

type Outcome = { readonly value: unknown } | 'refused';

function parsedWhole(text: string): Outcome {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'refused';
  }
}

async function parsedInSlices(text: string, sliceBytes: number): Promise<Outcome> {
  try {
    return { value: await parseJsonInSlices(Buffer.from(text), { sliceBytes }) };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

describe('JSON in slices', () => {
  test('is what JSON.parse makes of it, with the names in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, sliceBytes) => {
        const [sliced, whole] = [await parsedInSlices(text, sliceBytes), parsedWhole(text)];
        expect(sliced).toEqual(whole);
        expect(JSON.stringify(sliced)).toBe(JSON.stringify(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is refused where JSON.parse refuses it, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(nearlyJson, fc.integer({ min: 1, max: 20 }), async (text, sliceBytes) => {
        fc.pre(jsonShapeError(Buffer.from(text)) === undefined);
        expect(await parsedInSlices(text, sliceBytes)).toEqual(parsedWhole(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    '{"a":[1,2,3],"__proto__":[1,2,3]}',
    '{"a":[{"__proto__":1},2,3,4]}',
    '{"constructor":{"prototype":1,"b":2,"c":3}}',
    '[[1,2],{"\\u005f_proto__":[1,2,3,4,5]}]',
  ])('refuses a name that would set a prototype: %s', async (text) => {
    for (const sliceBytes of [1, 5, 1000]) {
      await expect(parseJsonInSlices(Buffer.from(text), { sliceBytes })).rejects.toThrow(SyntaxError);
    }
  });

  test('takes the mark of UTF-8 at its beginning, as the parser of small bodies does', async () => {
    expect(await parseJsonInSlices(Buffer.from('\uFEFF[1,2,3]'), { sliceBytes: 1 })).toEqual([1, 2, 3]);
  });

  test('lets timers run between its slices', async () => {
    const bytes = Buffer.from(
      JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'x'.repeat(20) }))),
    );
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const value = await parseJsonInSlices(bytes);
    clearInterval(timer);
    expect(value).toHaveLength(100_000);
    expect(ticks).toBeGreaterThan(1);
  });
});

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
  test('is refused exactly from the level on that is too deep, whatever its strings hold', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat({ max: 6 }), async (text, most) => {
        const deep = depthOf(JSON.parse(text)) > most;
        expect(jsonShapeError(Buffer.from(text), most) !== undefined).toBe(deep);
        const sliced = parseJsonInSlices(Buffer.from(text), { sliceBytes: 8, maxDepth: most });
        if (deep) await expect(sliced).rejects.toThrow(JsonShapeError);
        else await sliced;
      }),
    );
  });

  test('counts at least the values that there are, and at most twice as many', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const values = valuesIn(JSON.parse(text));
        expect(jsonShapeError(Buffer.from(text), 64, 2 * values)).toBeUndefined();
        if (values > 3) expect(jsonShapeError(Buffer.from(text), 64, Math.floor(values / 3))).toBeDefined();
      }),
    );
  });

  test('is read of bytes that are no JSON at all', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        fc.pre(!bytes.includes(bytesOf.quote));
        expect(jsonShapeError(Buffer.from(bytes))).toBeUndefined();
      }),
    );
    expect(jsonShapeError(Buffer.from('['.repeat(500_000)))?.message).toContain('64 levels');
  });

  test('is refused exactly where an object has a name twice, however the name is written, with its path', async () => {
    await fc.assert(
      fc.asyncProperty(named, fc.integer({ min: 1, max: 40 }), async (value, sliceBytes) => {
        const bytes = Buffer.from(written(value));
        const twice = repeatedIn(value, '');
        const error = twice === undefined ? undefined : { path: twice, message: 'is given twice: send it once' };
        expect(jsonShapeError(bytes)).toEqual(error);
        const sliced = parseJsonInSlices(bytes, { sliceBytes });
        if (error === undefined) await sliced;
        else await expect(sliced).rejects.toMatchObject({ detail: error });
      }),
      { numRuns: 1_000 },
    );
  });
});
