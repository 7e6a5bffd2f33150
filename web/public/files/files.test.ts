import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { calendarFile, folded } from './calendar-file.js';
import { tableFile, xmlText } from './table-file.js';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('a workbook', () => {
  const sheetOf = async (rows: readonly (readonly (string | null)[])[]) => {
    const { bytes } = await tableFile('xlsx', { name: 'x', columns: ['a'], rows });
    const sheet = unzipSync(new Uint8Array(Buffer.from(bytes)))['xl/worksheets/sheet1.xml'];
    return strFromU8(sheet ?? new Uint8Array());
  };

  test('has decimals with every digit, as numbers', async () => {
    expect(await sheetOf([['1234567890.123456789']])).toContain('<c><v>1234567890.123456789</v></c>');
  });

  test('has any other text as text, whatever it looks like', async () => {
    const markup = (await sheetOf([['x']])).match(/</g)?.length ?? 0;
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const sheet = await sheetOf([[`x${text}`]]);
        expect(sheet).toContain(`<t xml:space="preserve">${xmlText(`x${text}`)}</t>`);
        expect(sheet.match(/</g)).toHaveLength(markup);
        expect(Array.from(sheet).filter((one) => one < ' ' && !'\t\n\r'.includes(one))).toEqual([]);
      }),
    );
    expect(await sheetOf([['=1+1']])).not.toContain('<f>');
  });
});

test('a large workbook is the same bytes each time, and whole', async () => {
  const rows = Array.from({ length: 20_000 }, (_none, at) => [String(at), `linha ${at}`]);
  const [one, other] = await Promise.all([1, 2].map(() => tableFile('xlsx', { name: 'x', columns: ['a', 'b'], rows })));
  expect(one).toEqual(other);
  const parts = unzipSync(new Uint8Array(Buffer.from(one?.bytes ?? '')));
  expect(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).match(/<row /g)).toHaveLength(20_001);
});

describe('a calendar', () => {
  test('folds lines at 75 bytes, and unfolding restores them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (raw) => {
        const line = raw.replaceAll(/[\r\n]/g, '');
        const lines = folded(line);
        for (const one of lines.split('\r\n')) expect(Buffer.byteLength(one)).toBeLessThanOrEqual(75);
        expect(lines.replaceAll('\r\n ', '').slice(0, -2)).toBe(line);
      }),
    );
  });

  test('no text ends its line or adds a property', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const event = { id: '1', day: '2026-01-02', title: text, description: text, url: 'https://example.com/' };
        const { bytes } = calendarFile('x', '2026-01-01T00:00:00.000Z', [event]);
        const lines = String(bytes).replaceAll('\r\n ', '').split('\r\n');
        expect(lines.map((line) => line.split(/[:;]/)[0])).toEqual([
          'BEGIN',
          'VERSION',
          'PRODID',
          'X-WR-CALNAME',
          'BEGIN',
          'UID',
          'DTSTAMP',
          'DTSTART',
          'SUMMARY',
          'DESCRIPTION',
          'URL',
          'TRANSP',
          'END',
          'END',
          '',
        ]);
      }),
    );
  });
});
