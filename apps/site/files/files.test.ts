import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { calendarFile, folded } from './calendar-file.js';
import type { ColumnName } from './columns.js';
import { locales } from '../page.js';
import { tableFile } from './table-file.js';
import { xmlText } from './xml-text.js';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const [portuguese, english] = locales;
const partOf = (bytes: Buffer | string, name: string) =>
  strFromU8(unzipSync(new Uint8Array(Buffer.from(bytes)))[name] ?? new Uint8Array());

describe('a workbook', () => {
  const sheetOf = async (
    rows: readonly (readonly (string | null)[])[],
    column: ColumnName = 'name',
    locale = portuguese,
  ) => {
    const { bytes } = await tableFile('xlsx', { name: 'x', columns: [column], rows }, locale);
    return partOf(bytes, 'xl/worksheets/sheet1.xml');
  };
  const cellOf = async (value: string, column: ColumnName) =>
    /<row r="2"><c s="(\d)"><v>([^<]*)<\/v><\/c><\/row>/.exec(await sheetOf([[value]], column))?.slice(1) ?? [];

  test('has decimals with every digit, as numbers with the decimals of their kind', async () => {
    expect(await cellOf('1234567890.123456789', 'unitPrice')).toEqual(['6', '1234567890.123456789']);
    expect(await cellOf('1500.50', 'volume')).toEqual(['5', '1500.50']);
    expect(await cellOf('3', 'version')).toEqual(['2', '3']);
    const { bytes } = await tableFile('xlsx', { name: 'x', columns: ['unitPrice'], rows: [] }, portuguese);
    const styles = partOf(bytes, 'xl/styles.xml');
    const formats = [...styles.matchAll(/<xf numFmtId="(\d+)" [^>]*applyNumberFormat/g)].map(([, format]) => format);
    expect([formats[6], formats[5], formats[2]]).toEqual(['164', '4', '3']);
    expect(styles).toContain('numFmtId="164" formatCode="#,##0.00000000"');
  });

  test('has days, moments of São Paulo and percentages as spreadsheets count them, also from texts of people', async () => {
    expect(await cellOf('2026-01-01', 'dueDate')).toEqual(['3', '46023']);
    expect(await cellOf('01/01/2026', 'dataVencimento')).toEqual(['3', '46023']);
    // 15:00 in UTC is noon in São Paulo.
    expect(await cellOf('2026-01-01T15:00:00.000Z', 'createdAt')).toEqual(['4', '46023.50000000']);
    expect(await cellOf('12.3456', 'interestRate')).toEqual(['8', '0.123456']);
    expect(await cellOf('12,34%', 'taxa')).toEqual(['8', '0.1234']);
    expect(await cellOf('R$ 1.234,56', 'saldoDevedor')).toEqual(['5', '1234.56']);
  });

  test('keeps the names of the columns in view, in the language of the reader', async () => {
    const both = await Promise.all([portuguese, english].map((locale) => sheetOf([['2026-01-01']], 'dueDate', locale)));
    expect(both.map((sheet) => /<t xml:space="preserve">([^<]*)</.exec(sheet)?.[1])).toEqual(['Vencimento', 'Due']);
    expect(both[0]).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  });

  test('what is not of the kind of its column is text', async () => {
    for (const value of ['n/d', '2026-1-1', '1e5', '=1+1'])
      expect(await sheetOf([[value]], 'dueDate')).toContain(
        `<c t="inlineStr"><is><t xml:space="preserve">${value}</t>`,
      );
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
  const [one, other] = await Promise.all(
    [1, 2].map(() => tableFile('xlsx', { name: 'x', columns: ['version', 'name'], rows }, portuguese)),
  );
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
        const event = {
          id: '1',
          day: '2026-01-02',
          title: text,
          description: text,
          url: 'https://example.com/',
          status: 'CONFIRMED' as const,
        };
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
          'STATUS',
          'TRANSP',
          'END',
          'END',
          '',
        ]);
      }),
    );
  });
});
