import type { ImportDomain } from '../../../shared/import/domain.js';
import { assetChecks } from './check/assets.js';
import { indexChecks } from './check/index-values.js';
import { nameChecks } from './check/names.js';
import { trancheChecks } from './check/tranches.js';
import { concludeChanges } from './conclude.js';
import { createKnown } from './known.js';
import { kinds } from './model/kinds.js';
import { prepare } from './prepare.js';
import { releaseRecords } from './release.js';

/** Import domain of estates, series, credits and index values. */
export const tokenizationImport: ImportDomain = {
  kinds,
  schema: {
    name: 'patrimonies',
    id: 'urn:lastro:tokenization:patrimony',
    title: 'Estates, series and credits',
    description:
      'One estate, a list of estates, or an object with the lists "patrimonies" and "indexValues". Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Rates and shares are percent numbers: 3.5 means 3,5 %. Dates are YYYY-MM-DD.',
  },
  createKnown,
  checks: [...nameChecks, ...trancheChecks, ...indexChecks, ...assetChecks],
  prepare,
  release: releaseRecords,
  conclude: concludeChanges,
};
