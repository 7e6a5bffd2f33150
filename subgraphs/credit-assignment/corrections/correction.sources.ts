import { correctionsOf, type CorrectionReading } from '../../../shared/corrections/source.js';
import { eligibilityCriteria } from '../import/criteria-kind.js';

/** What is published of what estates take in: of the estate `$1`, or of any. */
export const correctionSources: readonly CorrectionReading[] = [
  correctionsOf({
    kind: eligibilityCriteria,
    scope: [(id) => `r.patrimony_id = ${id}`],
    joins: 'JOIN credit_assignment.estates e ON e.id = o.patrimony_id',
    where: 'o.patrimony_id = coalesce($1::uuid, o.patrimony_id)',
    subject: 'e.ticker',
    record: 'e.ticker',
    date: 'NULL',
    routine: [],
    // It is what the criteria are of.
    hidden: ['patrimonyTicker'],
    // What is null is not asked, and that was published too.
    nullIsPublished: true,
  }),
];
