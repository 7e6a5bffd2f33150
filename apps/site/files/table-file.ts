import { promisify } from 'node:util';
import type { z } from 'zod';
import { strToU8, zip, type AsyncZippable } from 'fflate';
import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import type { LinkItem } from '../../design/basics.js';
import {
  addressOf,
  definePage,
  type FileContent,
  type Page,
  type PageParts,
  type PageRequest,
  type Locale,
} from '../page.js';
import { type Cell, type ColumnName, type FileTable, columnKinds, type ColumnKind } from './columns.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { saoPauloTime } from '../moment.js';
import { xmlText } from './xml-text.js';

export const tableFormats = ['csv', 'json', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];

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
      view: (data, request) => tableFile(format, table(data, request), request.locale),
    }),
  );
}

export function tableLinks(path: string, query: Readonly<Record<string, string | undefined>> = {}): LinkItem[] {
  return tableFormats.map((format) => ({ text: format.toUpperCase(), href: addressOf(`${path}.${format}`, query) }));
}

/** Returns a table with a column of the same name for each of some fields of records. */
export function tableOf<Column extends ColumnName>(
  name: string,
  columns: readonly Column[],
  records: readonly Readonly<Record<Column, Cell | boolean>>[],
): FileTable {
  const cellIn = (value: Cell | boolean) => (typeof value === 'boolean' ? String(value) : value);
  return { name, columns, rows: records.map((record) => columns.map((column) => cellIn(record[column]))) };
}

/** Returns a table as a file. CSV and JSON are for programs and have the same names in every language; a workbook has names in the reader's language. */
export async function tableFile(format: TableFormat, table: FileTable, { text }: Locale): Promise<FileContent> {
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
        bytes: await workbookOf(table, text.columns),
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

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** The same bytes for the same table, whenever it is written. */
const epoch = new Date('1980-01-01T12:00:00Z');
const [narrowest, widest] = [8, 60];

/** Compresses longer files on another thread: other requests need not wait. */
const zipped = promisify((files: AsyncZippable, done: (error: Error | null, bytes: Uint8Array) => void) =>
  zip(files, { level: 6, mtime: epoch }, done),
);

/** A workbook with one sheet (ECMA-376). Numbers are written with every digit, so that none is lost before the spreadsheet reads them. */
async function workbookOf({ columns, rows }: FileTable, titles: Readonly<Record<ColumnName, string>>): Promise<Buffer> {
  const kinds = columns.map((column) => columnKinds[column]);
  const lines = [
    columns.map((column) => ({ xml: textCell(titles[column], 'head'), width: titles[column].length + 2 })),
    ...rows.map((cells) => cells.map((cell, at) => cellOf(cell, kinds[at] ?? 'text'))),
  ];
  const widths = columns.map((_column, at) =>
    lines.reduce((width, line) => Math.min(widest, Math.max(width, line[at]?.width ?? 0)), narrowest),
  );
  const sheet = lines.map((line, at) => `<row r="${at + 1}">${line.map(({ xml }) => xml).join('')}</row>`);
  const parts = {
    '[Content_Types].xml': `${head}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${sheetNamespace}" xmlns:r="${officeNamespace}"><sheets><sheet name="Lastro" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeNamespace}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}${stylesOf(sheetNamespace)}`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${sheetNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')}</cols><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(await zipped(files));
}

export interface SheetCell {
  readonly xml: string;
  readonly width: number;
}

/** Formats of cells, in the order of the styles of the workbook; the first two are plain cells and names of columns. */
const formats = ['plain', 'head', 'integer', 'day', 'moment', 'money', 'price', 'factor', 'percent'] as const;
type Format = (typeof formats)[number];

/** Formats that every spreadsheet knows by number; the days among them follow the reader's settings. Others have numbers from 164. */
const formatNumbers: Readonly<Record<Format, number>> = {
  plain: 0,
  head: 0,
  integer: 3,
  day: 14,
  moment: 22,
  money: 4,
  price: 164,
  factor: 165,
  percent: 166,
};

/** Returns the styles of a workbook (ECMA-376, 18.8). */
function stylesOf(namespace: string): string {
  const styles = formats.map(
    (format) =>
      `<xf numFmtId="${formatNumbers[format]}" fontId="${format === 'head' ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${format === 'head' ? ' applyFont="1"' : ''}/>`,
  );
  return (
    `<styleSheet xmlns="${namespace}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00000000"/>` +
    `<numFmt numFmtId="165" formatCode="#,##0.00##############"/><numFmt numFmtId="166" formatCode="0.00######%"/></numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
    `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

interface Written {
  readonly format: Format;
  readonly number: string;
}

const decimalForm = /^-?\d{1,15}(\.\d+)?$/;
const dayForm = /^\d{4}-\d\d-\d\d$/;
/** The day that spreadsheets count from. */
const firstDay = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

const daysOf = (time: number): Decimal => new Decimal(time - firstDay).div(dayMs);

function decimal(format: Format, text: string): Written | undefined {
  return decimalForm.test(text) ? { format, number: text } : undefined;
}

function day(text: string): Written | undefined {
  return dayForm.test(text) ? { format: 'day', number: daysOf(Date.parse(`${text}T00:00:00Z`)).toFixed() } : undefined;
}

/** Percent as a share, which the format multiplies by a hundred. */
function percent(text: string): Written | undefined {
  return decimalForm.test(text) ? { format: 'percent', number: new Decimal(text).div(100).toFixed() } : undefined;
}

/** Returns a number of Brazilian text with a point: `1.234,56` as `1234.56`. */
const pointed = (text: string): string => text.replaceAll('.', '').replace(',', '.');

const writers: Readonly<Record<ColumnKind, (text: string) => Written | undefined>> = {
  text: () => undefined,
  integer: (text) => decimal('integer', text),
  money: (text) => decimal('money', text),
  price: (text) => decimal('price', text),
  factor: (text) => decimal('factor', text),
  percent,
  day,
  moment: (text) => {
    if (Number.isNaN(Date.parse(text))) return undefined;
    return { format: 'moment', number: daysOf(Date.parse(`${saoPauloTime(text)}:00Z`)).toFixed(8) };
  },
  moneyText: (text) => decimal('money', pointed(text.replace(/^R\$\s*/, ''))),
  percentText: (text) => (text.endsWith('%') ? percent(pointed(text.slice(0, -1))) : undefined),
  dayText: (text) => day(text.split('/').reverse().join('-')),
};

/** Returns a value as the cell of its column; as text where it is not of the kind of the column. */
function cellOf(value: string | number | null, kind: ColumnKind): SheetCell {
  if (value === null || value === '') return { xml: '<c/>', width: 0 };
  const text = String(value);
  const written = writers[kind](text);
  if (written === undefined) return { xml: textCell(text, 'plain'), width: text.length };
  const { format, number } = written;
  return { xml: `<c s="${formats.indexOf(format)}"><v>${number}</v></c>`, width: text.length + 2 };
}

function textCell(text: string, format: Format): string {
  const style = format === 'plain' ? '' : ` s="${formats.indexOf(format)}"`;
  return `<c${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}
