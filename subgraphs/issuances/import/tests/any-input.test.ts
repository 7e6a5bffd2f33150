import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Context } from '../../../../shared/kernel/context.js';
import { columnsOf } from '../../../../shared/import/model/csv-columns.js';
import { odd, placesOf, put } from '../../../../tests/kit/any-input.js';
import { testContext } from '../../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../../tests/kit/database.js';
import { kinds } from '../model/kinds.js';
import { importTexts, kindOf, printed, wholeOperation } from './kit.js';

/*
 * An input may contain anything. Values that PostgreSQL would reject must be found before, since its own errors name
 * neither file nor line: an import therefore always ends in a report.
 */

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  context = testContext({ manager: database.dataSource.manager });
  expect(printed(await importTexts(context, { 'a.json': wholeOperation() }))).toEqual([]);
});

afterAll(async () => {
  await database.close();
});

test('whatever stands anywhere in an operation, the import ends in a report', async () => {
  const places = placesOf(wholeOperation());
  const changes = fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const changed = list.reduce<unknown>(
        (value, [path, other]) =>
          placesOf(value).some((one) => String(one) === String(path)) ? put(value, path, other) : value,
        wholeOperation(),
      );
      const report = await importTexts(context, { 'a.json': JSON.stringify(changed) });
      expect(report.errorCount).toBe(report.errors.length);
      expect(report.errors.every(({ line, message }) => line === 1 && message !== '')).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('whatever stands in the cells of a CSV file, the import ends in a report', async () => {
  const cell = odd.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const change = fc.tuple(
    fc.constantFrom(...kinds.filter((kind) => kind.csv)),
    fc.array(fc.tuple(fc.nat(20), cell), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(';', ','),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([{ name }, cells, delimiter]) => {
      const columns = columnsOf(kindOf(name));
      const line = columns.map((column) => String(column.example ?? ''));
      for (const [at, text] of cells) line[at % line.length] = text;
      const quoted = line.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter);
      const report = await importTexts(context, {
        'a.csv': `${columns.map((column) => column.name).join(delimiter)}\n${quoted}\n`,
      });
      expect(report.errors.every(({ message }) => message !== '')).toBe(true);
    }),
    { numRuns: 60 },
  );
});
