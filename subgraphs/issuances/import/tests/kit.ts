import { importKit, type Json } from '../../../../tests/kit/import.js';
import { issuancesImport } from '../domain.js';

export { printed, type Json } from '../../../../tests/kit/import.js';

const kit = importKit(issuancesImport);
export const { kindOf, csv, importTexts } = kit;

/** Returns a record with the example value of every field, changed by `changes`. */
export function record(name: string, changes: Json = {}): Json {
  const slug = changes['slug'];
  // The page of an operation follows its slug, as required.
  const page = name === 'operations' && typeof slug === 'string' ? { href: `/emissoes/${slug}` } : {};
  return kit.record(name, { ...page, ...changes });
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
