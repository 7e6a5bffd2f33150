import { csvLine, type Separator } from '../shared/kernel/format/csv-line.js';
import type { CsvForm, CsvPage } from './route.js';

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
    if (page.total !== first.total) throw new Error('The list has changed while its file was written');
    yield textOf(page.rows);
  }
}
