import { Readable } from 'node:stream';
import type { Context } from '../shared/context.js';
import { Fault } from '../shared/errors.js';
import { csvText, type Separator } from './csv.js';
import type { CsvForm } from './route.js';
import type { RunRoute } from './sofa.js';

type Values = Parameters<RunRoute>[0];

/** A list that is asked for as CSV. */
export interface CsvCall {
  readonly form: CsvForm;
  readonly separator: Separator;
  /** The arguments, checked. */
  readonly values: Values;
  readonly run: RunRoute;
}

/**
 * Opens the file of a list. The first page is read at once, so that errors of the request are thrown here. What goes wrong later destroys
 * the stream: its reader sees a connection that ends too early, never a file that looks whole.
 * @throws {Fault} those of the list, and TOO_MANY_REQUESTS
 */
export type OpenCsvFile = (context: Context, call: CsvCall) => Promise<Readable>;

/** Files that one caller may receive at once: each takes as long as its reader likes, and reads the database meanwhile. */
const maxFiles = 2;
const retryAfterSeconds = 5;

/** Makes what opens files, and counts those of each caller. */
export function csvFiles(): OpenCsvFile {
  const open = new Map<string, number>();

  const begin = (ownerId: string): (() => void) => {
    const files = open.get(ownerId) ?? 0;
    if (files >= maxFiles) {
      const message = `Too Many Requests: at most ${maxFiles} files at once, ask again when one of them has arrived`;
      throw new Fault('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
    }
    open.set(ownerId, files + 1);
    return () => {
      const left = (open.get(ownerId) ?? 1) - 1;
      if (left === 0) open.delete(ownerId);
      else open.set(ownerId, left);
    };
  };

  return async (context, { form, separator, values, run }) => {
    const others = Object.entries(values).filter(([name]) => name !== form.cursor);
    const whole = { ...Object.fromEntries(others), ...form.page };
    const pageOf = async (place: Values): Promise<unknown> => {
      const { json } = await run({ ...whole, ...place }, context);
      return JSON.parse(String(json)) as unknown;
    };
    const end = begin(context.principal.ownerId);
    const first = await pageOf({}).catch((error: unknown) => {
      end();
      throw error;
    });
    const pageAfter = (cursor: string) => pageOf({ [form.cursor]: cursor });
    const file = Readable.from(csvText(form, separator, first, pageAfter), { objectMode: false });
    file.once('close', end);
    file.once('error', (err) => {
      context.log.error({ err, file: form.fileName }, 'a file of CSV was cut off');
    });
    return file;
  };
}
