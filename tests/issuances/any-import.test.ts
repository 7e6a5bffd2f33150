import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnsOf } from '../../shared/import/model/csv-columns.js';
import { issuancesImport } from '../../subgraphs/issuances/import/domain.js';
import { wholeOperation } from '../../subgraphs/issuances/import/tests/kit.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { record, wholePatrimony } from '../../subgraphs/tokenization/import/tests/kit.js';
import { testContext } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { importTextsInto, printed, type Json } from '../kit/import.js';

/** Values that a careless or hostile input holds. */
const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      '',
      ' ',
      '\u0000',
      'a\u0000',
      '\ud800',
      '\\N',
      '\\.',
      '{}',
      '"',
      "';--",
      '9'.repeat(40),
      '-1',
      '1e30',
      '0',
      '٣',
      '2026-02-30',
      '0001-01-01',
      'infinity',
      'NaN',
      '＋1',
      -0,
      1e21,
      1e-9,
      true,
      null,
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

/** Every place of a JSON value, as paths. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A JSON value with another one at a place. */
function put(value: unknown, [step, ...rest]: readonly (string | number)[], changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === step ? put(item, rest, changed) : item));
  const object = value as Json;
  return { ...object, [step]: put(object[step], rest, changed) };
}

/*
 * An input may contain anything. Values that PostgreSQL would reject must be found before, since its own errors name
 * neither file nor line: an import therefore always ends in a report.
 */
const database = await openTestDatabase();
afterAll(() => database.close());
const context = testContext({ manager: database.dataSource.manager });
const estate = () => ({ patrimonies: [wholePatrimony()], indexValues: [record('indexValues')] });

describe.each([
  ['an operation', issuancesImport, wholeOperation],
  ['an estate', tokenizationImport, estate],
] as const)('whatever stands in %s', (_, domain, whole) => {
  const imported = (files: Readonly<Record<string, string | object>>) => importTextsInto(context, [domain], files);

  test('as JSON, the import ends in a report', async () => {
    expect(printed(await imported({ 'a.json': whole() }))).toEqual([]);
    const places = placesOf(whole());
    const changes = fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const changed = list.reduce<unknown>(
          (value, [path, other]) =>
            placesOf(value).some((one) => String(one) === String(path)) ? put(value, path, other) : value,
          whole(),
        );
        const report = await imported({ 'a.json': JSON.stringify(changed) });
        expect(report.errorCount).toBe(report.errors.length);
        // A record that is no longer in the file has no line.
        const lineOf = (message: string) => (message.endsWith('it would be removed') ? 0 : 1);
        expect(report.errors.filter(({ line, message }) => message === '' || line !== lineOf(message))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('in the cells of a CSV file, the import ends in a report', async () => {
    const cell = odd.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const change = fc.tuple(
      fc.constantFrom(...domain.kinds.filter((kind) => kind.csv)),
      fc.array(fc.tuple(fc.nat(20), cell), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(';', ','),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([kind, cells, delimiter]) => {
        const columns = columnsOf(kind);
        const line = columns.map((column) => String(column.example ?? ''));
        for (const [at, text] of cells) line[at % line.length] = text;
        const quoted = line.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter);
        const report = await imported({
          'a.csv': `${columns.map((column) => column.name).join(delimiter)}\n${quoted}\n`,
        });
        expect(report.errors.every(({ message }) => message !== '')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
