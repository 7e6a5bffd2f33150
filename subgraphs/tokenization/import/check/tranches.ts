import { repeated } from '../../../../shared/import/check/duplicates.js';
import { trancheTransitions } from '../../tranches/tranche-transitions.js';
import { schedule } from '../model/schedule.js';

/** Checks of a series against its schedule, and against its previous state. */

/** The allowed transitions of a series as rows of `from, to, condition`. */
const moves = Object.entries(trancheTransitions)
  .flatMap(([from, targets]) =>
    Object.entries(targets).map(([to, condition]) => `('${from}', '${to}', '${condition}')`),
  )
  .join(', ');

const instalments = 'SELECT FROM known_schedule e WHERE e.tranche_id = k.id AND NOT e.is_gone';
const isOwing = `EXISTS (${instalments} AND e.status <> 'PAID')`;

const transitions = `
  SELECT k.file, k.line, k.path, 'status' AS field, 'is ' || s.status || CASE
      WHEN m.condition IS NULL THEN ', and the series is ' || k.status_before || ', from where it cannot come to that'
      WHEN m.condition = 'NOTHING_INVESTED' THEN ', and money has been put into the series'
      WHEN ${isOwing} THEN ', and instalments of the series are not paid'
      ELSE ', and money has been put into the series, which has no instalments' END AS message
  FROM known_tranches k JOIN import_tranches s ON lower(s.ticker) = k.ticker
  LEFT JOIN (VALUES ${moves}) AS m (source, target, condition) ON m.source = k.status_before AND m.target = s.status
  WHERE k.is_whole AND k.status_before <> s.status AND (m.condition IS NULL OR (m.condition = 'NOTHING_INVESTED' AND k.is_invested)
    OR (m.condition = 'NOTHING_OWED' AND (${isOwing} OR (k.is_invested AND NOT EXISTS (${instalments})))))`;

const lostPayments = `
  SELECT e.file, e.line, e.path, 'schedule' AS field, 'leaves out instalment ' || e.installment_number || ', which was paid' AS message
  FROM known_schedule e JOIN known_tranches k ON k.id = e.tranche_id AND k.is_whole
  WHERE e.is_gone AND e.status_before = 'PAID'`;

const daysInOrder = `
  SELECT file, line, path, 'calculationDate' AS field, message FROM (
    SELECT e.*, 'is ' || e.calculation_date || CASE
      WHEN lag(e.installment_number) OVER numbers < e.installment_number AND e.calculation_date < lag(e.calculation_date) OVER numbers
        THEN ', before that of the instalment before, which is ' || lag(e.calculation_date) OVER numbers
      WHEN e.calculation_date <= k.remuneration_start_date
        THEN ', not after remunerationStartDate, which is ' || k.remuneration_start_date END AS message
    FROM known_schedule e JOIN known_tranches k ON k.id = e.tranche_id AND k.is_whole
    WHERE NOT e.is_gone WINDOW numbers AS (PARTITION BY e.tranche_id ORDER BY e.installment_number)
  ) e WHERE message IS NOT NULL`;

const paidWithoutValue = `
  SELECT file, line, path, 'interestValue' AS field, 'is required where paidOn is given, since the day has no unit price yet' AS message
  FROM known_schedule WHERE NOT is_gone AND status = 'PAID' AND total_value IS NULL`;

const moreThanWhole = `
  SELECT k.file, k.line, k.path, 'schedule' AS field, 'amortizes ' || sum(e.amortization_percentage) || ' % of the issue value, more than all' AS message
  FROM known_tranches k JOIN import_tranches s ON lower(s.ticker) = k.ticker AND s.amortization_of = 'ISSUE_VALUE'
  JOIN known_schedule e ON e.tranche_id = k.id AND NOT e.is_gone
  GROUP BY k.file, k.line, k.path, k.id HAVING sum(e.amortization_percentage) > 100`;

export const trancheChecks: readonly string[] = [
  transitions,
  lostPayments,
  repeated(
    schedule,
    ['lower(s.owner_tranche)', 's.calculation_date'],
    'calculationDate',
    'is the same as that of the instalment',
  ),
  daysInOrder,
  paidWithoutValue,
  moreThanWhole,
];
