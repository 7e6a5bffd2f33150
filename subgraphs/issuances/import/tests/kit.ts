import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from '../../../../shared/context.js';
import { importFiles, type ImportOptions } from '../import.js';
import { kinds } from '../model/kinds.js';
import type { Kind, KindName } from '../model/kind.js';
import { columnsOf } from '../model/csv-columns.js';
import type { ImportReport } from '../report.js';

export type Json = Record<string, unknown>;

export function kindOf(name: KindName): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return kind;
}

/** A record in which every field has the example of its description, changed by `changes`. */
export function record(name: KindName, changes: Json = {}): Json {
  const whole: Json = {};
  for (const field of kindOf(name).fields) {
    const [own = '', deeper] = field.name.split('.');
    if (deeper === undefined) whole[own] = field.example;
    else whole[own] = { ...(whole[own] as Json | undefined), [deeper]: field.example };
  }
  const slug = changes['slug'];
  // The page of an operation follows its slug, as it has to.
  const page = name === 'operations' && typeof slug === 'string' ? { href: `/emissoes/${slug}` } : {};
  return { ...whole, ...page, ...changes };
}

/** An operation with one record in each of its lists. */
export function wholeOperation(changes: Json = {}): Json {
  const one = (name: KindName, inner: Json = {}) => [record(name, inner)];
  return record('operations', {
    series: one('series', { unitPrices: one('unitPrices'), trusteeUnitPrices: one('trusteeUnitPrices') }),
    guarantees: one('guarantees'),
    documents: one('documents'),
    obligations: one('obligations'),
    payments: one('payments'),
    accounts: one('accounts'),
    permittedInvestments: one('permittedInvestments'),
    assemblies: one('assemblies'),
    communications: one('communications'),
    participants: one('participants'),
    onchainContracts: one('onchainContracts', { events: one('onchainEvents') }),
    contracts: one('contracts', { positions: one('contractPositions') }),
    provisioningBands: one('provisioningBands'),
    covenants: one('covenants'),
    ...changes,
  });
}

/** A CSV file with the examples of a kind in each line, changed line by line. */
export function csv(name: KindName, lines: readonly Readonly<Record<string, string>>[], delimiter = ';'): string {
  const columns = columnsOf(kindOf(name));
  const rows = lines.map((line) =>
    columns.map((column) => line[column.name] ?? String(column.example ?? '')).join(delimiter),
  );
  return [columns.map((column) => column.name).join(delimiter), ...rows, ''].join('\n');
}

/** Writes files into a folder of their own and imports that. Fault messages name files as they are named here. */
export async function importTexts(
  context: Context,
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
    const report = await importFiles(context, [folder], options);
    const relative = (text: string) => text.replaceAll(`${folder}/`, '');
    const faults = report.faults.map((fault) => ({
      ...fault,
      file: relative(fault.file),
      message: relative(fault.message),
    }));
    return { ...report, faults };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Faults as the command line prints them. */
export function printed({ faults }: ImportReport): string[] {
  return faults.map(({ file, line, field, message }) => `${file}:${line} ${field} ${message}`);
}
