import { importKit, type Json } from '../../../../tests/kit/import.js';
import { tokenizationImport } from '../domain.js';

export { printed, type Json } from '../../../../tests/kit/import.js';

export const { kindOf, record, csv, importTexts } = importKit(tokenizationImport);

/** Returns a series with its own schedule instead of the example's policy. */
export function tranche(changes: Json = {}): Json {
  return record('tranches', { schedulePolicy: null, schedule: [record('schedule')], ...changes });
}

/** Returns an estate with one record in each of its lists. */
export function wholePatrimony(changes: Json = {}): Json {
  const asset = record('assets', { paymentHistory: [record('installments')] });
  return record('patrimonies', { tranches: [tranche()], assets: [asset], ...changes });
}
