import { correctionsOf, type CorrectionReading } from '../../../shared/corrections/source.js';
import { eligibilityCriteria } from '../import/criteria-kind.js';

/** The publications of criteria of the estate `$1`, or of all estates. */
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
    // It names the owner of the criteria.
    hidden: ['patrimonyTicker'],
    // Null means no limit, and that was published too.
    nullIsPublished: true,
  }),
];
