import type { ImportDomain } from '../../../shared/import/domain.js';
import { violation } from '../../../shared/import/import-rules.js';
import { eligibilityCriteria } from './criteria-kind.js';

/** The estates that tokenization has announced. */
const knownEstates = `
  CREATE TEMP TABLE known_estates ON COMMIT DROP AS
  SELECT id, lower(ticker) AS ticker FROM credit_assignment.estates;
  ANALYZE known_estates`;

const unknownEstates = `
  SELECT s.file, s.line, s.path, 'patrimonyTicker' AS field,
    ${violation('ESTATE_NOT_KNOWN', { value: 's.patrimony_ticker' })}
  FROM import_eligibility_criteria s
  WHERE NOT EXISTS (SELECT FROM known_estates e WHERE e.ticker = lower(s.patrimony_ticker))`;

/** The domain's kinds of import: the criteria of estates. */
export const creditAssignmentImport: ImportDomain = {
  kinds: [eligibilityCriteria],
  schema: {
    name: 'criteria',
    id: 'urn:lastro:credit-assignment:criteria',
    title: 'Eligibility criteria',
    description:
      'The criteria of one estate, a list of them, or an object with the list "eligibilityCriteria". Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Shares are percent numbers: 3.5 means 3,5 %.',
  },
  createKnown: () => knownEstates,
  checks: [unknownEstates],
  conclude: () => Promise.resolve(),
};
