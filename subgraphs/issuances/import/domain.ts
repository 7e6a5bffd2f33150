import type { ImportDomain } from '../../../shared/import/domain.js';
import { consistencyChecks } from './check/consistency.js';
import { completeWithoutPositions, foreignSeries, otherPositions, unknownContracts } from './check/references.js';
import { concludeChanges } from './conclude.js';
import { createKnown } from './known.js';
import { kinds } from './model/kinds.js';
import { keepInputs } from './release.store.js';

/** Import domain of operations and all their published data. */
export const issuancesImport: ImportDomain = {
  kinds,
  schema: {
    name: 'operations',
    id: 'urn:lastro:issuances:operation',
    title: 'Securitization operations',
    description:
      'One operation, a list of operations, or an object whose "operations" is such a list. Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Rates and shares are percent numbers: 3.5 means 3,5 %. Dates are YYYY-MM-DD.',
  },
  createKnown: () => createKnown,
  checks: [
    ...kinds.flatMap(foreignSeries),
    unknownContracts,
    completeWithoutPositions,
    otherPositions,
    ...consistencyChecks,
  ],
  release: keepInputs,
  conclude: concludeChanges,
};
