import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from '../../shared/kernel/context.js';
import type { ImportDomain, ImportReport } from '../../shared/import/domain.js';
import { importFiles, type ImportOptions } from '../../shared/import/import.js';
import { columnsOf } from '../../shared/import/model/csv-columns.js';
import type { Kind } from '../../shared/import/model/kind.js';

export type Json = Record<string, unknown>;

/** What tests of the imports of a domain use. */
export function importKit(domain: ImportDomain) {
  const kindOf = (name: string): Kind => {
    const kind = domain.kinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`There is no kind ${name}`);
    return kind;
  };
  return {
    kindOf,
    /** Returns a record with the example value of every field, changed by `changes`. */
    record: (name: string, changes: Json = {}) => exampleOf(kindOf(name), changes),
    /** Returns a CSV file with the example values of a kind in each line, changed line by line. */
    csv: (name: string, lines: readonly Readonly<Record<string, string>>[], delimiter = ';') =>
      csvOf(kindOf(name), lines, delimiter),
    /** Imports texts as files of one folder. */
    importTexts: (
      context: Context,
      files: Readonly<Record<string, string | Uint8Array | object>>,
      options: ImportOptions = {},
    ): Promise<ImportReport> => importTextsInto(context, [domain], files, options),
  };
}

/** A record in which every field has the example of its description, changed by `changes`. */
export function exampleOf({ fields }: Kind, changes: Json = {}): Json {
  const whole: Json = {};
  for (const field of fields) {
    const [own = '', deeper] = field.name.split('.');
    if (deeper === undefined) whole[own] = field.example;
    else whole[own] = { ...(whole[own] as Json | undefined), [deeper]: field.example };
  }
  return { ...whole, ...changes };
}

/** A CSV file with the examples of a kind in each line, changed line by line. */
export function csvOf(kind: Kind, lines: readonly Readonly<Record<string, string>>[], delimiter = ';'): string {
  const columns = columnsOf(kind);
  const rows = lines.map((line) =>
    columns.map((column) => line[column.name] ?? String(column.example ?? '')).join(delimiter),
  );
  return [columns.map((column) => column.name).join(delimiter), ...rows, ''].join('\n');
}

/** Writes files into a folder of their own and imports that. Error messages name files as they are named here. */
export async function importTextsInto(
  context: Context,
  domains: readonly ImportDomain[],
  files: Readonly<Record<string, string | Uint8Array | object>>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-import-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      const isBytes = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(join(folder, name), isBytes ? content : JSON.stringify(content, null, 2));
    }
    const report = await importFiles(context, domains, [folder], options);
    const relative = (text: string) => text.replaceAll(`${folder}/`, '');
    const errors = report.errors.map((error) => ({
      ...error,
      file: relative(error.file),
      message: relative(error.message),
    }));
    return { ...report, errors };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Errors as the command line prints them. */
export function printed({ errors }: ImportReport): string[] {
  return errors.map(({ file, line, field, message }) => `${file}:${line} ${field} ${message}`);
}
