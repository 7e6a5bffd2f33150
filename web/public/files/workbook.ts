import { promisify } from 'node:util';
import { strToU8, zip, type AsyncZippable } from 'fflate';
import { columnKinds, type ColumnName, type FileTable } from './columns.js';
import { cellOf, headOf, stylesOf } from './workbook-cell.js';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** The same bytes for the same table, whenever it is written. */
const epoch = new Date('1980-01-01T12:00:00Z');
/** Width of a column in characters. */
const [narrowest, widest] = [8, 60];

/** Compresses longer files on another thread: other requests need not wait. */
const zipped = promisify((files: AsyncZippable, done: (error: Error | null, bytes: Uint8Array) => void) =>
  zip(files, { level: 6, mtime: epoch }, done),
);

/**
 * Returns a workbook with one sheet (ECMA-376): days, amounts and percentages are cells of their kind, the names of the columns stay in view. Numbers are
 * written with every digit, so that none is lost before the spreadsheet reads them.
 */
export async function workbookOf(
  { columns, rows }: FileTable,
  titles: Readonly<Record<ColumnName, string>>,
): Promise<Buffer> {
  const kinds = columns.map((column) => columnKinds[column]);
  const lines = [
    columns.map((column) => headOf(titles[column])),
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
