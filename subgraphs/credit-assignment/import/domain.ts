import type { ImportDomain } from '../../../shared/import/domain.js';
import { violation, broken } from '../../../shared/import/import-rules.js';
import { kind, optional, required } from '../../../shared/import/model/kind.js';
import { decimal, integer } from '../../../shared/import/model/number-values.js';
import type { Rule } from '../../../shared/import/model/rules.js';
import { text } from '../../../shared/import/model/text-values.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { maxTermDays } from '../criteria/criteria.js';

const faceValue = decimal(14, 2, { above: '0' });

const inOrder: Rule = ({ minFaceValue, maxFaceValue }) => {
  if (minFaceValue == null || maxFaceValue == null || new Decimal(minFaceValue).lessThanOrEqualTo(maxFaceValue))
    return undefined;
  return {
    field: 'maxFaceValue',
    error: broken('LESS_THAN', { value: maxFaceValue, field: 'minFaceValue', other: minFaceValue }),
  };
};

export const eligibilityCriteria = kind('eligibilityCriteria', {
  label: 'set of eligibility criteria',
  description:
    'The eligibility criteria of an estate: they replace its face values, its term and its share of a debtor, while its limits and net worth stay. An estate that is not listed keeps its criteria.',
  table: 'credit_assignment.eligibility_criteria',
  key: ['patrimonyTicker'],
  hasId: false,
  fields: [
    required('patrimonyTicker', text({ maxLength: 200 }), 'Ticker of the estate.', 'PAT-AURORA', {
      column: 'patrimony_id',
      refersTo: { staged: 'patrimony_ticker', known: 'known_estates', table: 'credit_assignment.estates' },
    }),
    optional('minFaceValue', faceValue, 'Minimum face value of a contract, in BRL. No limit when absent.', '100.00'),
    optional('maxFaceValue', faceValue, 'Maximum face value of a contract, in BRL. No limit when absent.', '50000.00'),
    optional(
      'maxTermDays',
      integer(1, maxTermDays),
      'Maximum number of days from the day of processing to the due date. No limit when absent.',
      720,
    ),
    optional(
      'maxDebtorShare',
      decimal(7, 4, { above: '0', max: '100' }),
      'Maximum share of one debtor in the face value of a batch, in percent. No limit when absent.',
      '20',
    ),
  ],
  rules: [inOrder],
  stamps: [{ column: 'updated_at', value: '$1', onChange: true }],
});

const knownEstates = `
  CREATE TEMP TABLE known_estates ON COMMIT DROP AS
  SELECT id, lower(ticker) AS ticker FROM credit_assignment.estates;
  ANALYZE known_estates`;

const unknownEstates = `
  SELECT s.file, s.line, s.path, 'patrimonyTicker' AS field,
    ${violation('ESTATE_NOT_KNOWN', { value: 's.patrimony_ticker' })}
  FROM import_eligibility_criteria s
  WHERE NOT EXISTS (SELECT FROM known_estates e WHERE e.ticker = lower(s.patrimony_ticker))`;

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
