import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCnab444, parseCnab444 } from '../../../tests/credit-assignment/cnab444/files.js';
import { anyFile, assigned, fileOf, put } from '../../../tests/credit-assignment/cnab444/kit.js';
import { toDetails } from '../files/file-errors.js';
import type { FileLines } from '../files/file-lines.js';
import { detailFields, headerFields, lineWidth, trailerFields, type Field } from './layout.js';
import { codesOf, occurrences } from './layout-rules.js';
import { readContracts, readSettlements } from './read-batch.js';

function errorsOf(input: string | Uint8Array): string[] {
  const parsed = parseCnab444(input);
  return 'errors' in parsed ? toDetails(parsed.errors.first).map(({ path, message }) => `${path} ${message}`) : [];
}

const twoContracts = formatCnab444(fileOf(assigned('A-1'), assigned('A-2')));

describe('the layout', () => {
  test.each([
    ['header', headerFields],
    ['detail', detailFields],
    ['trailer', trailerFields],
  ])('the fields of a %s cover its 444 columns, each once', (_, fields: readonly Field[]) => {
    let next = 1;
    for (const { from, to } of fields) {
      expect(from).toBe(next);
      next = to + 1;
    }
    expect(next).toBe(lineWidth + 1);
  });

  test('the README shows the table that the code reads', () => {
    const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8').replace(/ +\|/g, ' |');
    for (const { from, to, name, kind, meaning } of [...headerFields, ...detailFields, ...trailerFields]) {
      expect(readme).toContain(`| ${from === to ? from : `${from}-${to}`} | ${name} | ${kind} | ${meaning} |`);
    }
    for (const code of codesOf()) {
      const { act, amount, meaning } = occurrences[code] ?? { act: '', amount: '', meaning: '' };
      expect(readme).toContain(`| ${code} | ${act} | ${meaning} | ${amount} |`);
    }
  });
});

describe('round trips', () => {
  test('what is written is read as it was', () => {
    fc.assert(
      fc.property(anyFile, (file) => {
        expect(parseCnab444(formatCnab444(file))).toEqual({ file });
      }),
    );
  });

  test('what is read is written as it was, whatever its line ends, its encoding and its end', () => {
    const end = fc.constantFrom('', '\r\n', '\n', '\r\n\x1a', '\n\n', '\x1a');
    fc.assert(
      fc.property(anyFile, fc.constantFrom('\r\n', '\n'), end, fc.boolean(), (file, feed, ending, mark) => {
        const canonical = formatCnab444(file);
        const text = canonical.trimEnd().split('\r\n').join(feed) + ending;
        const parsed = parseCnab444(Buffer.from(mark ? `\ufeff${text}` : text, 'utf8'));
        expect('file' in parsed && formatCnab444(parsed.file)).toBe(canonical);
      }),
    );
  });

  test('the characters that the importer takes are taken: of Windows-1252, and of other alphabets', () => {
    const text = formatCnab444(fileOf(assigned('A–1', { debtorName: 'MÜLLER ŁÓDŹ €' })));
    const details = (input: Buffer) => {
      const parsed = parseCnab444(input);
      return 'file' in parsed && parsed.file.details.map(({ externalId, debtorName }) => [externalId, debtorName]);
    };
    expect(details(Buffer.from(text, 'utf8'))).toEqual([['A–1', 'MÜLLER ŁÓDŹ €']]);
    const windows = formatCnab444(fileOf(assigned('A-1', { debtorName: 'D AVILA x' })));
    const bytes = Buffer.from(windows, 'latin1');
    bytes[windows.indexOf('D AVILA') + 1] = 0x92;
    bytes[windows.indexOf('AVILA x') + 5] = 0x96;
    expect(details(bytes)).toEqual([['A-1', 'D’AVILA–x']]);
  });

  test('no bytes are too odd: a file comes back, or errors with a place', () => {
    const broken = fc
      .tuple(fc.nat({ max: 3 * 446 }), fc.uint8Array({ maxLength: 40 }))
      .map(([at, bytes]) =>
        Buffer.concat([Buffer.from(twoContracts.slice(0, at)), bytes, Buffer.from(twoContracts.slice(at))]),
      );
    const replaced = fc
      .array(fc.tuple(fc.nat({ max: twoContracts.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 9 })
      .map((changes) => {
        const bytes = Buffer.from(twoContracts);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 2000 }), broken, replaced), (bytes) => {
        const parsed = parseCnab444(bytes);
        if (!('errors' in parsed)) return;
        expect(parsed.errors.count).toBeGreaterThan(0);
        for (const { line } of parsed.errors.first) expect(line).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('errors', () => {
  test('all are reported at once, by line and column', () => {
    let text = put(twoContracts, 2, 127, '12,50');
    text = put(text, 2, 121, '310226');
    text = put(text, 2, 38, ' '.repeat(25));
    text = put(text, 3, 109, '71');
    text = put(text, 4, 439, '000009');
    expect(errorsOf(text)).toEqual([
      'line 2, columns 38-62 must be filled in (externalId)',
      'line 2, columns 121-126 must be a date, DDMMYY (dueDate)',
      'line 2, columns 127-139 must be an amount in centavos, digits only (faceValue)',
      'line 3, columns 109-110 must be one of 01, 04, 14, 75, 77 (occurrence)',
      'line 4, columns 439-444 is 000009, but the file has 4 records (sequence)',
    ]);
  });

  test('an amount that counts with another occurrence only is an error of its columns, and no other of the record is hidden', () => {
    const paid = { externalId: 'A', paidOn: '2026-11-19', paidAmount: '1.00' };
    const text = formatCnab444(
      fileOf(
        { ...paid, occurrence: '77', abatement: '5.00' },
        { ...paid, occurrence: '04', abatement: '5.00', externalId: '' },
        { ...paid, occurrence: '14' },
      ),
    );
    const own = 'such an amount has a record of its own, with occurrence';
    expect(errorsOf(text)).toEqual([
      `line 2, columns 206-218 must be 0 with occurrence 77: ${own} 04 (abatement)`,
      'line 3, columns 38-62 must be filled in (externalId)',
      `line 3, columns 83-92 must be 0 with occurrence 04: ${own} 14, 75, 77 (paidAmount)`,
    ]);
  });

  test.each([
    ['nothing', '', ['line 1 is missing: the file is empty and must have a header, details and a trailer']],
    ['empty lines', '\r\n\r\n', ['line 1 is missing: the file is empty and must have a header, details and a trailer']],
    ['a short line', twoContracts.replace('A-1 ', 'A-1'), ['line 2 has 443 characters and must have 444']],
    ['a control character', put(twoContracts, 2, 250, '\t'), ['line 2, column 250 must be a printable character']],
    [
      'a control character of the second kind',
      put(twoContracts, 2, 250, '\u0085'),
      ['line 2, column 250 must be a printable character'],
    ],
    [
      'no header',
      lines(2, 3, 4),
      [
        'line 1, column 1 must be 0: a header is expected here',
        'line 1, columns 439-444 must be 1 (sequence)',
        'line 2, columns 439-444 must be 2 (sequence)',
        'line 3, columns 439-444 is 000004, but the file has 3 records (sequence)',
      ],
    ],
    ['no trailer', lines(1, 2, 3), ['line 3, column 1 must be 9: the trailer is expected here']],
    [
      'a trailer in the middle',
      put(twoContracts, 2, 1, '9'),
      ['line 2, column 1 must be 1: a detail is expected here'],
    ],
    [
      'no details',
      formatCnab444(fileOf(assigned('A-1')))
        .split('\r\n')
        .filter((_, at) => at !== 1)
        .join('\r\n')
        .replace(/000003/, '000002'),
      ['line 2 is the last record: a file must have a header, details and a trailer'],
    ],
    ['a file of answers', put(twoContracts, 1, 2, '2RETORNO'), ['line 1, columns 2-9 must be 1REMESSA (fileType)']],
    [
      'a header without its day',
      put(twoContracts, 1, 95, '000000'),
      ['line 1, columns 95-100 must be filled in (writtenOn)'],
    ],
    ['a sequence number twice', put(twoContracts, 3, 439, '000002'), ['line 3, columns 439-444 must be 3 (sequence)']],
    [
      'an amount in blanks and digits',
      put(twoContracts, 2, 127, '       100000'),
      ['line 2, columns 127-139 must be an amount in centavos, digits only (faceValue)'],
    ],
    [
      '29 February of a year without one',
      put(twoContracts, 2, 121, '290227'),
      ['line 2, columns 121-126 must be a date, DDMMYY (dueDate)'],
    ],
  ])('%s', (_, text, expected) => {
    expect(errorsOf(text)).toEqual(expected);
  });

  test('the first hundred are reported, and all are counted', () => {
    const parsed = parseCnab444('x\n'.repeat(1000));
    expect('errors' in parsed && [parsed.errors.first.length, parsed.errors.count]).toEqual([100, 1000]);
  });

  test('a file has at most 50,000 details, and that many are read', () => {
    const header = twoContracts.slice(0, 446);
    const detail = twoContracts.slice(446, 446 + 438);
    const record = (start: string, number: number) => `${start}${String(number).padStart(6, '0')}\r\n`;
    const details = Array.from({ length: 50_001 }, (_, at) => record(detail, at + 2));
    const trailer = '9'.padEnd(438);
    expect(errorsOf(header + details.slice(0, 50_000).join('') + record(trailer, 50_002))).toEqual([]);
    expect(errorsOf(header + details.join('') + record(trailer, 50_003))).toEqual([
      'line 50003 is one record too many: a file has at most 50000 details',
    ]);
  });

  function lines(...kept: number[]): string {
    const all = twoContracts.split('\r\n');
    return kept.map((line) => all[line - 1]).join('\r\n');
  }
});

async function linesOf<Line>(reading: Promise<FileLines<Line>>): Promise<readonly Line[]> {
  const { errors, lines } = await reading;
  expect(errors.first).toEqual([]);
  return lines;
}

describe('what a file asks for', () => {
  test('an assignment file holds contracts', async () => {
    const text = formatCnab444(
      fileOf(
        assigned('A-1', { faceValue: '1234.56' }),
        assigned('A-2', { debtorKind: '01', debtorDocument: '00052998224725' }),
        assigned('A-3', { debtorKind: '01', debtorDocument: '52998224725' }),
        assigned('A-4', { debtorDocument: '00000000000191' }),
        assigned('A-5', { debtorDocument: '12ABC34501DE35' }),
      ),
    );
    const dueDate = '2031-01-31';
    expect(await linesOf(readContracts(text))).toEqual([
      { line: 2, externalId: 'A-1', debtorDocument: '11222333000181', faceValue: '1234.56', dueDate },
      { line: 3, externalId: 'A-2', debtorDocument: '52998224725', faceValue: '1000.00', dueDate },
      { line: 4, externalId: 'A-3', debtorDocument: '52998224725', faceValue: '1000.00', dueDate },
      { line: 5, externalId: 'A-4', debtorDocument: '00000000000191', faceValue: '1000.00', dueDate },
      { line: 6, externalId: 'A-5', debtorDocument: '12ABC34501DE35', faceValue: '1000.00', dueDate },
    ]);
  });

  test('a settlement file holds what was paid, and abatements', async () => {
    const [paid, abated] = [{ paidAmount: '70.00', paidOn: '2026-07-30' }, { abatement: '9.00' }];
    const text = formatCnab444(
      fileOf(
        { occurrence: '14', externalId: 'A-1', ...paid },
        { occurrence: '75', externalId: 'A-2', ...paid },
        { occurrence: '77', externalId: 'A-3', ...paid },
        { occurrence: '04', externalId: 'A-4', ...abated, paidOn: '2026-07-30' },
        { occurrence: '04', externalId: 'A-5', ...abated },
      ),
    );
    const paidBy = { amountField: 'paidAmount', kind: 'PAYMENT' };
    const abatedBy = { amountField: 'abatement', kind: 'ABATEMENT' };
    expect(await linesOf(readSettlements(text))).toEqual([
      { line: 2, externalId: 'A-1', ...paidBy, settledAmount: '70.00', settledDate: '2026-07-30' },
      { line: 3, externalId: 'A-2', ...paidBy, settledAmount: '70.00', settledDate: '2026-07-30' },
      { line: 4, externalId: 'A-3', ...paidBy, settledAmount: '70.00', settledDate: '2026-07-30' },
      { line: 5, externalId: 'A-4', ...abatedBy, settledAmount: '9.00', settledDate: '2026-07-30' },
      { line: 6, externalId: 'A-5', ...abatedBy, settledAmount: '9.00', settledDate: '2026-08-03' },
    ]);
  });
});
