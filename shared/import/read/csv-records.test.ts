import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { createRecordReader, type CsvRecord, type Delimiter } from './csv-records.js';

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '7', ' ', '"', ';', ',', '.', '\n', '😀'), maxLength: 8 });
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Splits a text at random positions, like the chunks of a stream. */
function readInPieces(text: string, delimiter: Delimiter, cuts: readonly number[]): CsvRecord[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  const reader = createRecordReader(delimiter);
  const records: CsvRecord[] = [];
  let from = 0;
  for (const to of places) {
    records.push(...reader.read(text.slice(from, to)));
    from = to;
  }
  return [...records, ...reader.end(text.slice(from))];
}

describe('CSV', () => {
  test('any cells come back, with the lines where their records begin, however the file arrives', () => {
    const options = fc.record({
      delimiter: fc.constantFrom<Delimiter>(';', ','),
      end: fc.constantFrom('\r\n', '\n', '\r'),
      cuts: fc.array(fc.nat(), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(table, options, (rows, { delimiter, end, cuts }) => {
        const text = rows
          .map((cells) => cells.map((one) => quoted(one.replaceAll('\n', end))).join(delimiter) + end)
          .join('');
        let line = 1;
        const expected = rows.map((cells) => {
          const record = { line, cells: cells.map((one) => one.trim()) };
          line += 1 + cells.join('').split('\n').length - 1;
          return record;
        });
        expect(readInPieces(text, delimiter, cuts)).toEqual(expected);
      }),
    );
  });

  test('a row of a spreadsheet whose cells were cleared is a blank line', () => {
    expect(
      createRecordReader(';')
        .end('a;b\n;\n\nc;d\n')
        .map(({ line }) => line),
    ).toEqual([1, 4]);
  });

  test('any text is read the same in one piece and in any pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '"', ';', '\n', '\r', ' '), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
        expect(readInPieces(whole, ';', cuts)).toEqual(readInPieces(whole, ';', []));
      }),
    );
  });

  test('a record is searched once, however many cells and lines it has', () => {
    const text = `${'"",'.repeat(500)}"${'\n'.repeat(500)}"\n`;
    const searches = jest.spyOn(String.prototype, 'indexOf');
    const records = createRecordReader(',').read(text);
    const count = searches.mock.calls.length;
    searches.mockRestore();
    expect(records).toEqual([{ line: 1, cells: Array<string>(501).fill('') }]);
    expect(count).toBeLessThan(2 * text.length);
  });

  test('no text makes it throw or lose count of lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', ';', '\n', '\r', ' ') }),
        fc.array(fc.nat()),
        (text, cuts) => {
          const records = readInPieces(text, ';', cuts);
          const lines = text.split(/\r\n|\n|\r/).length;
          expect(records.every(({ line }) => line >= 1 && line <= lines)).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['a;"b', /opening quote that is never closed/],
    ['a;b"c', /inside a cell/],
    ['a;"b" c', /after a closing quote/],
  ])('%s is told with its line', (text, message) => {
    const [, error, next] = readInPieces(`x;y\n${text}\nlast;one\n`, ';', []);
    expect(error).toEqual({ line: 2, error: expect.objectContaining({ message: expect.stringMatching(message) }) });
    if (!text.endsWith('b')) expect(next).toEqual({ line: 3, cells: ['last', 'one'] });
  });
});
