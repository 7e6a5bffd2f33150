import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { prefersCsv } from '../gateway/http/reply/accept.js';
import type { Context } from '../shared/kernel/context.js';
import { Database } from '../shared/database/database.js';
import { createRecordReader } from '../shared/import/read/csv-records.js';
import { testContext } from '../tests/kit/context.js';
import { csvLine, separators } from '../shared/kernel/format/csv-line.js';
import { csvFiles, type CsvCall } from './csv-files.js';
import type { CsvForm } from './route.js';

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '7', '"', ';', ',', '.', '=', '-', '+', '@', '\n', '😀'),
  maxLength: 6,
});

describe('a line of CSV', () => {
  test('gives its cells back to whoever reads CSV, whatever they hold and whatever separates them', () => {
    const line = fc.tuple(fc.array(cell, { minLength: 2, maxLength: 4 }), fc.constantFrom(...separators));
    fc.assert(
      fc.property(line, ([cells, separator]) => {
        const [record] = createRecordReader(separator)
          .end(`first${separator}line\r\n${csvLine(cells, separator)}`)
          .slice(1);
        // The reader leaves out a line whose cells are all blank.
        const read =
          record === undefined ? cells.map(() => '') : 'cells' in record ? record.cells : [record.error.message];
        expect(read.map((text) => text.replaceAll("'", ''))).toEqual(cells.map((text) => text.trim()));
      }),
    );
  });

  test('begins no cell that is not a number as a formula, whichever separator it is read with', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', '7', '"', ';', ',', '=', '-', '+', '@', ' ', '\t', '\r', '\n', '\u00a0'),
      maxLength: 8,
    });
    const cells = fc.array(fc.oneof(hostile, fc.constantFrom('-10.50', '3')), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cells, fc.constantFrom(...separators), (texts, separator) => {
        const line = csvLine(texts, separator);
        // A cell as the worst reader takes it: no quotes hold it together, and blanks and quotes before it are dropped.
        for (const read of [/[;\r\n]/, /[,\r\n]/, /[\t\r\n]/])
          for (const text of line.split(read)) {
            const begun = text.replace(/^[ "\u00a0]+/, '');
            if (!/^-\d+(\.\d+)?([;,]|$)/.test(begun))
              expect([texts, begun.slice(0, 1)]).not.toEqual([texts, expect.stringMatching(/[=+\-@\t]/)]);
          }
      }),
      { numRuns: 1000 },
    );
    expect(csvLine(["A-1,=cmd|' /C calc'!A0,x", 'a; "@b'], ';')).toBe(`"A-1,'=cmd|' /C calc'!A0,x";"a;' ""@b"\r\n`);
  });

  test('leaves plain values as they are', () => {
    const plain = [
      '-10.50',
      '0',
      '2026-12-01',
      '11 99999-0000',
      'R$ 1.000,00 a R$ 2.000,00',
      'CDI + 3,50% a.a.',
      'CCB-1',
      'A - B',
    ];
    for (const text of plain) expect(csvLine([text], ';').replaceAll('"', '')).toBe(`${text}\r\n`);
    expect(csvLine(['-10.50', '=1+1', '-1+1', '@x', '+5'], ';')).toBe("-10.50;'=1+1;'-1+1;'@x;'+5\r\n");
  });
});

test.each([
  ['text/csv', true],
  ['Text/CSV;charset=utf-8', true],
  ['text/csv, application/json;q=0.9', true],
  ['text/csv;q=0.5, */*', true],
  ['application/json, text/csv;q=0.9', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0', false],
  ['text/*', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('Accept: %s asks for CSV: %s', (accept, prefers) => {
  expect(prefersCsv(accept)).toBe(prefers);
});

/** A list of numbers, ten a page, each 10,000 characters long. */
const form: CsvForm = {
  description: '',
  fileName: 'numbers.csv',
  columns: ['number'],
  page: { first: '10' },
  cursor: 'after',
  read: (response) => response as ReturnType<CsvForm['read']>,
  example: '',
};

function numbers(pages: number) {
  const asked: unknown[] = [];
  const run: CsvCall['run'] = (values) => {
    asked.push(values);
    const page = Number(values['after'] ?? '0');
    if (page === pages) throw new Error('The database is gone');
    const rows = Array.from({ length: 10 }, (_, index) => [String(page * 10 + index).padStart(10_000, '0')]);
    return Promise.resolve({
      status: 200,
      json: JSON.stringify({ rows, next: page + 1 === 30 ? null : String(page + 1) }),
    });
  };
  const values = { first: '3', after: 'x', kind: 'all' };
  const gone = new AbortController().signal;
  return { asked, call: { form, separator: ';', values, run, readPage: (read) => read(), gone } satisfies CsvCall };
}

async function textOf(file: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const { manager } = new Database({ type: 'postgres' });
const callerOf = (ownerId: string): Context =>
  testContext({ manager, principal: { kind: 'TRADER', id: ownerId, ownerId, scopes: ['read'] } });

describe('a file', () => {
  test('breaks off where the number of items shows that the list has changed meanwhile', async () => {
    const { call } = numbers(30);
    const run: CsvCall['run'] = async (values, context) => {
      const { status, json } = await call.run(values, context);
      const total = values['after'] === '7' ? 301 : 300;
      return { status, json: JSON.stringify({ ...(JSON.parse(String(json)) as object), total }) };
    };
    await expect(textOf(await csvFiles()(callerOf('a'), { ...call, run }))).rejects.toThrow('The list has changed');
  });

  test('that nobody reads on is cut off after a while, and makes room', async () => {
    const open = csvFiles(20);
    for (let turn = 0; turn < 3; turn += 1) {
      const file = await open(callerOf('a'), numbers(30).call);
      file.read(1);
      await expect(once(file, 'end')).rejects.toThrow('not received completely');
    }
  });

  test('whose reader leaves while it waits for a page waits no longer', async () => {
    const leaving = new AbortController();
    const waiting: CsvCall['readPage'] = async (read, signal) => {
      leaving.abort();
      await delay(600_000, undefined, { signal });
      return read();
    };
    const call = { ...numbers(30).call, readPage: waiting, gone: leaving.signal };
    const file = await csvFiles()(callerOf('a'), call);
    await expect(textOf(file)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
});
