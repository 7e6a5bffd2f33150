import { promisify } from 'node:util';
import { strToU8, zip, type AsyncZippable } from 'fflate';
import { csvLine } from '../../../shared/format/csv-line.js';
import type { z } from 'zod';
import type { LinkItem } from '../../design/basics.js';
import { addressOf, definePage, type FileContent, type Page, type PageParts, type PageRequest } from '../page.js';

export const tableFormats = ['csv', 'json', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];

type Cell = string | number | null;

/** Rows of a download. Decimals are text with a point, days are ISO dates, a missing value is null. */
export interface FileTable {
  /** The name of the file, without its extension. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface TablePages<Shape extends z.ZodRawShape, Data> extends Omit<PageParts<Shape, Data>, 'view'> {
  readonly table: (data: Data, request: PageRequest<z.output<z.ZodObject<Shape>>>) => FileTable;
}

/** Returns the pages that send a table in each format; their paths end with it. */
export function tablePages<Shape extends z.ZodRawShape, Data>({
  path,
  table,
  ...parts
}: TablePages<Shape, Data>): readonly Page[] {
  return tableFormats.map((format) =>
    definePage({
      ...parts,
      path: `${path}.${format}`,
      view: (data, request) => tableFile(format, table(data, request)),
    }),
  );
}

/** Returns the links to a table in each format. */
export function tableLinks(path: string, query: Readonly<Record<string, string | undefined>> = {}): LinkItem[] {
  return tableFormats.map((format) => ({ text: format.toUpperCase(), href: addressOf(`${path}.${format}`, query) }));
}

/** Returns a table with a column of the same name for each of some fields of records. */
export function tableOf<Column extends string>(
  name: string,
  columns: readonly Column[],
  records: readonly Readonly<Record<Column, Cell | boolean>>[],
): FileTable {
  const cellIn = (value: Cell | boolean) => (typeof value === 'boolean' ? String(value) : value);
  return { name, columns, rows: records.map((record) => columns.map((column) => cellIn(record[column]))) };
}

/** Returns a table as a file. */
export async function tableFile(format: TableFormat, table: FileTable): Promise<FileContent> {
  const fileName = `${table.name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}.${format}`;
  switch (format) {
    case 'csv':
      return { fileName, type: 'text/csv; charset=utf-8; header=present', bytes: csvOf(table) };
    case 'json':
      return { fileName, type: 'application/json; charset=utf-8', bytes: jsonOf(table) };
    case 'xlsx':
      return {
        fileName,
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        bytes: await xlsxOf(table),
      };
  }
}

function csvOf({ columns, rows }: FileTable): string {
  return [columns, ...rows]
    .map((cells) =>
      csvLine(
        cells.map((cell) => String(cell ?? '')),
        ';',
      ),
    )
    .join('');
}

function jsonOf({ columns, rows }: FileTable): string {
  const records = rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])));
  return `${JSON.stringify(records, null, 2)}\n`;
}

const numeric = /^-?\d{1,15}(\.\d+)?$/;
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** The same bytes for the same table, whenever it is written. */
const epoch = new Date('1980-01-01T12:00:00Z');

/** Compresses longer files on another thread: other requests need not wait. */
const zipped = promisify((files: AsyncZippable, done: (error: Error | null, bytes: Uint8Array) => void) =>
  zip(files, { level: 6, mtime: epoch }, done),
);

/** Returns a workbook with one sheet (ECMA-376): numbers as they are written, so that no digit is lost before the spreadsheet reads them. */
async function xlsxOf({ columns, rows }: FileTable): Promise<Buffer> {
  const lines = [columns, ...rows].map(
    (cells, at) => `<row r="${at + 1}">${cells.map((cell) => cellOf(cell, at > 0)).join('')}</row>`,
  );
  const parts = {
    '[Content_Types].xml': `${head}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${sheetNamespace}" xmlns:r="${officeNamespace}"><sheets><sheet name="Lastro" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${sheetNamespace}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(await zipped(files));
}

function cellOf(value: Cell, mayBeNumber: boolean): string {
  if (value === null || value === '') return '<c/>';
  const text = String(value);
  if (mayBeNumber && numeric.test(text)) return `<c><v>${text}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Returns a text as XML: markup is escaped, and characters that XML 1.0 cannot hold are left out. */
export function xmlText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}
