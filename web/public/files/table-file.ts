import { csvLine } from '../../../shared/format/csv-line.js';
import type { z } from 'zod';
import type { LinkItem } from '../../design/basics.js';
import type { Locale } from '../locale.js';
import { addressOf, definePage, type FileContent, type Page, type PageParts, type PageRequest } from '../page.js';
import type { Cell, ColumnName, FileTable } from './columns.js';
import { workbookOf } from './workbook.js';

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

/** Returns the links to a table in each format. */
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

/** Returns a table as a file. CSV and JSON are for programs and have the same names in every language; a workbook has those of the reader. */
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
