import type { Context } from '../../../../shared/kernel/context.js';
import type { ImportOptions } from '../../../../shared/import/import.js';
import type { Kind } from '../../../../shared/import/model/kind.js';
import type { ImportReport } from '../../../../shared/import/report.js';
import { csvOf, exampleOf, importTextsInto, type Json } from '../../../../tests/kit/import.js';
import { tokenizationImport } from '../domain.js';
import { kinds } from '../model/kinds.js';

export { printed, type Json } from '../../../../tests/kit/import.js';

export function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return kind;
}

/** Returns a record with the example value of every field, changed by `changes`. */
export function record(name: string, changes: Json = {}): Json {
  return exampleOf(kindOf(name), changes);
}

/** Returns a series with its own schedule instead of the example's policy. */
export function tranche(changes: Json = {}): Json {
  return record('tranches', { schedulePolicy: null, schedule: [record('schedule')], ...changes });
}

/** Returns an estate with one record in each of its lists. */
export function wholePatrimony(changes: Json = {}): Json {
  const asset = record('assets', { paymentHistory: [record('installments')] });
  return record('patrimonies', { tranches: [tranche()], assets: [asset], ...changes });
}

/** Returns a CSV file with the example values of a kind in each line, changed line by line. */
export function csv(name: string, lines: readonly Readonly<Record<string, string>>[]): string {
  return csvOf(kindOf(name), lines);
}

/** Imports texts as files of one folder. */
export function importTexts(
  context: Context,
  files: Readonly<Record<string, string | Uint8Array | object>>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importTextsInto(context, [tokenizationImport], files, options);
}
