import type { Context } from '../../../../shared/kernel/context.js';
import type { ImportOptions } from '../../../../shared/import/import.js';
import type { Kind } from '../../../../shared/import/model/kind.js';
import type { ImportReport } from '../../../../shared/import/report.js';
import { csvOf, exampleOf, importTextsInto, type Json } from '../../../../tests/kit/import.js';
import { issuancesImport } from '../domain.js';
import { kinds } from '../model/kinds.js';

export { printed, type Json } from '../../../../tests/kit/import.js';

export function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return kind;
}

/** Returns a record with the example value of every field, changed by `changes`. */
export function record(name: string, changes: Json = {}): Json {
  const slug = changes['slug'];
  // The page of an operation follows its slug, as required.
  const page = name === 'operations' && typeof slug === 'string' ? { href: `/emissoes/${slug}` } : {};
  return exampleOf(kindOf(name), { ...page, ...changes });
}

/** Returns an operation with one record in each of its lists. */
export function wholeOperation(changes: Json = {}): Json {
  const one = (name: string, inner: Json = {}) => [record(name, inner)];
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
    completeMonths: one('completeMonths'),
    provisioningBands: one('provisioningBands'),
    covenants: one('covenants'),
    ...changes,
  });
}

/** Returns a CSV file with the example values of a kind in each line, changed line by line. */
export function csv(name: string, lines: readonly Readonly<Record<string, string>>[], delimiter = ';'): string {
  return csvOf(kindOf(name), lines, delimiter);
}

/** Imports texts as files of one folder. */
export function importTexts(
  context: Context,
  files: Readonly<Record<string, string | Uint8Array | object>>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importTextsInto(context, [issuancesImport], files, options);
}
