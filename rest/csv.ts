import type { CsvForm, CsvPage } from './route.js';

/** The character between the cells of a line. */
export type Separator = (typeof separators)[number];
export const separators = [';', ','] as const;

/** Whether the value of a query parameter is a separator. */
export function isSeparator(value: unknown): value is Separator {
  return separators.some((separator) => separator === value);
}

const number = /^-?\d+(\.\d+)?$/;
const formula = /^[=+\-@\t\r]/;
const special = /[";,\r\n]/;

/**
 * Returns a line of CSV (RFC 4180), with its line end. Numbers stay as they are. Any other text that a spreadsheet would read as a formula
 * gets a leading apostrophe, so that opening a file executes nothing.
 */
export function csvLine(cells: readonly string[], separator: Separator): string {
  return `${cells.map(cellOf).join(separator)}\r\n`;
}

function cellOf(text: string): string {
  const harmless = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Generates the CSV of a list page by page: only one page is in memory, and the next is read when the previous one was consumed.
 * @param first the first page
 * @param pageAfter reads the response of the page behind a cursor
 * @throws where a page cannot be read, or the pages do not fit together
 */
export async function* csvText(
  form: CsvForm,
  separator: Separator,
  first: CsvPage,
  pageAfter: (cursor: string) => Promise<unknown>,
): AsyncGenerator<string, void> {
  const textOf = (rows: readonly (readonly string[])[]) => rows.map((row) => csvLine(row, separator)).join('');
  let page = first;
  yield textOf([form.columns, ...page.rows]);
  while (page.next !== null) {
    page = form.read(await pageAfter(page.next), false);
    yield textOf(page.rows);
  }
}
