import { Readable } from 'node:stream';
import type { Context } from '../shared/kernel/context.js';
import { ApiError } from '../shared/kernel/errors.js';
import { csvLine, type Separator } from '../shared/kernel/format/csv-line.js';
import type { CsvForm, CsvPage } from './route.js';
import type { RunRoute } from './sofa.js';

type Values = Parameters<RunRoute>[0];

export interface CsvCall {
  readonly form: CsvForm;
  readonly separator: Separator;
  readonly values: Values;
  readonly run: RunRoute;
  readonly readPage: ReadPage;
  readonly gone: AbortSignal;
}

/** Reads a further page as soon as the caller may have it. @param signal aborted when the reader is gone @throws {ApiError} when the caller may not have it */
export type ReadPage = <T>(read: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Errors of the first page are thrown here; a later one destroys the stream, so no file looks whole. @throws {ApiError} of the list, TOO_MANY_REQUESTS */
export type OpenCsvFile = (context: Context, call: CsvCall) => Promise<Readable>;

const maxFiles = 2;
const retryAfterSeconds = 5;
/** Maximum duration of a file, so that a slow reader does not keep one open for ever. */
const usualMaxFileMs = 600_000;

/** Returns the function that opens files; it counts the open files of each caller. @param maxFileMs maximum duration of a file, in milliseconds */
export function csvFiles(maxFileMs = usualMaxFileMs): OpenCsvFile {
  const open = new Map<string, number>();

  const begin = (ownerId: string): (() => void) => {
    const files = open.get(ownerId) ?? 0;
    if (files >= maxFiles) {
      const message = `Too Many Requests: at most ${maxFiles} files at once, wait ${retryAfterSeconds} seconds`;
      throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
    }
    open.set(ownerId, files + 1);
    return () => {
      const left = (open.get(ownerId) ?? 1) - 1;
      if (left === 0) open.delete(ownerId);
      else open.set(ownerId, left);
    };
  };

  return async (context, { form, separator, values, run, readPage, gone }) => {
    const others = Object.entries(values).filter(([name]) => name !== form.cursor);
    const whole = { ...Object.fromEntries(others), ...form.page };
    const pageOf = async (place: Values): Promise<unknown> => {
      const { json } = await run({ ...whole, ...place }, context);
      return JSON.parse(String(json)) as unknown;
    };
    const end = begin(context.principal.ownerId);
    const firstPage = async () => form.read(await pageOf({}), true);
    const first = await firstPage().catch((error: unknown) => {
      end();
      throw error;
    });
    const life = new AbortController();
    const { cursor: argument = '' } = form;
    const pageAfter = (cursor: string) => readPage(() => pageOf({ [argument]: cursor }), life.signal);
    const file = Readable.from(csvText(form, separator, first, pageAfter), { objectMode: false });
    const cut = (error?: Error) => {
      // First abort what the file may be waiting for: destroying it takes effect only after that.
      life.abort();
      file.destroy(error);
    };
    const deadline = setTimeout(
      () => cut(new Error(`The file was not received completely within ${maxFileMs / 1_000} seconds`)),
      maxFileMs,
    ).unref();
    gone.addEventListener('abort', () => {
      cut();
    });
    file.once('close', () => {
      clearTimeout(deadline);
      end();
    });
    file.once('error', (err) => context.log.error({ err, file: form.fileName }, 'A CSV file was aborted'));
    return file;
  };
}

/** Yields a list's CSV, one page in memory at a time. @param pageAfter reads the page behind a cursor @throws where a page fails, or pages do not fit */
async function* csvText(
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
