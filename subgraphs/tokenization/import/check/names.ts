import { reservedFor, repeated } from '../../../../shared/import/check.js';
import { violation, givenBy } from '../../../../shared/import/import-rules.js';
import { trancheTransitions } from '../../tranches/tranche.js';
import { isPartlyPaid, redeemedOf } from '../../schedule/schedule.store.js';
import { schedule } from '../model/schedule.js';

/** Checks that a name identifies one estate, and that a series keeps its estate. */

/** Tickers and slugs share one namespace. */
const sharedNames = `
  SELECT n.file, n.line, n.path, n.field, ${violation('NAME_OF_PATRIMONY', { value: 'n.name', ticker: 'o.ticker' })}
  FROM (
    SELECT file, line, path, 'ticker' AS field, lower(ticker) AS ticker, lower(ticker) AS name FROM import_patrimonies
    UNION ALL SELECT file, line, path, 'slug', lower(ticker), lower(slug) FROM import_patrimonies
  ) n JOIN (
    SELECT ticker, lower(ticker) AS name FROM tokenization.patrimonies
    UNION SELECT ticker, lower(slug) FROM tokenization.patrimonies
    UNION SELECT ticker, lower(ticker) FROM import_patrimonies
    UNION SELECT ticker, lower(slug) FROM import_patrimonies
  ) o ON o.name = n.name AND lower(o.ticker) <> n.ticker`;

const movedTranches = `
  SELECT s.file, s.line, s.path, 'ticker' AS field, ${violation('SERIES_OF_PATRIMONY', { value: 's.ticker', ticker: 'p.ticker' })}
  FROM import_tranches s
  JOIN tokenization.tranches e ON lower(e.ticker) = lower(s.ticker)
  JOIN tokenization.patrimonies p ON p.id = e.patrimony_id AND lower(p.ticker) <> lower(s.owner_patrimony)`;

/** Names of withdrawn records stay reserved: otherwise restoring such a record could fail. */
const withdrawnTranches = `
  SELECT s.file, s.line, s.path, 'ticker' AS field, ${reservedFor('series', 's.ticker', 'w.act')}
  FROM import_tranches s JOIN tokenization.withdrawn_tranches w ON lower(w.ticker) = lower(s.ticker)
  WHERE NOT EXISTS (SELECT FROM tokenization.tranches t WHERE lower(t.ticker) = lower(s.ticker))`;

const withdrawnPatrimonies = `
  SELECT DISTINCT ON (n.file, n.line, n.path, n.field) n.file, n.line, n.path, n.field,
    ${reservedFor('patrimony', 'n.name', 'w.act')}
  FROM (
    SELECT file, line, path, 'ticker' AS field, ticker AS name, ticker FROM import_patrimonies
    UNION ALL SELECT file, line, path, 'slug', slug, ticker FROM import_patrimonies
  ) n JOIN tokenization.withdrawn_patrimonies w ON lower(n.name) IN (lower(w.ticker), lower(w.slug))
  WHERE NOT EXISTS (SELECT FROM tokenization.patrimonies p WHERE lower(p.ticker) = lower(n.ticker))`;

export const nameChecks: readonly string[] = [sharedNames, movedTranches, withdrawnTranches, withdrawnPatrimonies];

/** Months of a price index must be consecutive: a variation needs both of its ends. */
const missingMonths = `
  SELECT file, line, path, 'date' AS field,
    ${violation('MONTH_MISSING', { value: 'date', index: 'index_name', month: `to_char(lacking, 'YYYY-MM')` })}
  FROM (
    SELECT m.*, CASE
      WHEN lag(date) OVER months < date - interval '1 month' THEN date - interval '1 month'
      WHEN NOT lead(is_staged) OVER months AND lead(date) OVER months > date + interval '1 month' THEN date + interval '1 month'
    END AS lacking
    FROM (
      SELECT index_name, date, min(file) AS file, min(line) AS line, min(path) AS path, bool_or(is_staged) AS is_staged FROM (
        SELECT index_name, date, file, line, path, true AS is_staged FROM import_index_values WHERE index_name <> 'DI'
        UNION ALL SELECT index_name, date, NULL, NULL, NULL, false FROM tokenization.index_values WHERE index_name <> 'DI'
      ) one GROUP BY index_name, date
    ) m WINDOW months AS (PARTITION BY index_name ORDER BY date)
  ) m WHERE is_staged AND lacking IS NOT NULL`;

export const indexChecks: readonly string[] = [missingMonths];

/** Numbers that the act `$1` wrote, too far from the one before: in this century no month moved an index by a tenth, and no decision of the central bank the DI rate by half. */
export const indexJumps = `
  SELECT s.file, s.line, s.path, 'value' AS field, ${violation('INDEX_JUMP', {
    value: 'trim_scale(moved.value)',
    change: 'round((moved.value / moved.before - 1) * 100, 4)',
    before: 'trim_scale(moved.before)',
    day: 'moved.day_before',
  })}
  FROM (
    SELECT one.*, lag(value) OVER days AS before, lag(date) OVER days AS day_before FROM (
      SELECT DISTINCT ON (index_name, date) index_name, date, value, recorded_by FROM tokenization.index_values
      WHERE index_name IN (SELECT index_name FROM import_index_values) ORDER BY index_name, date, version DESC
    ) one WINDOW days AS (PARTITION BY index_name ORDER BY date)
  ) moved JOIN import_index_values s ON s.index_name = moved.index_name AND s.date = moved.date
  WHERE moved.recorded_by = $1 AND moved.before > 0
    AND abs(moved.value / moved.before - 1) > CASE moved.index_name WHEN 'DI' THEN 0.5 ELSE 0.1 END`;

/** A projection that the act `$1` wrote of a month whose number was known: days before its publication are priced by it from now on. */
export const lateProjections = `
  SELECT s.file, s.line, s.path, 'month' AS field,
    ${violation('PROJECTION_LATE', { value: `to_char(s.month, 'YYYY-MM')`, index: 's.index_name' })}
  FROM import_projected_index_values s
  JOIN tokenization.projected_index_values p ON p.index_name = s.index_name AND p.month = s.month AND p.published_on = s.published_on
    AND p.recorded_by = $1
  WHERE EXISTS (SELECT FROM tokenization.index_values v
    WHERE v.index_name = s.index_name AND v.date = s.month AND v.recorded_by IS DISTINCT FROM $1)`;

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
  SELECT k.file, k.line, k.path, 'status' AS field, CASE
      WHEN m.condition IS NULL THEN 'SERIES_TRANSITION'
      WHEN m.condition = 'NOTHING_INVESTED' THEN 'SERIES_INVESTED'
      WHEN ${isOwing} THEN 'SERIES_OWES'
      ELSE 'SERIES_WITHOUT_SCHEDULE' END AS rule, ${givenBy({ value: 's.status', before: 'k.status_before' })} AS given
  FROM known_tranches k JOIN import_tranches s ON lower(s.ticker) = k.ticker
  LEFT JOIN (VALUES ${moves}) AS m (source, target, condition) ON m.source = k.status_before AND m.target = s.status
  WHERE k.is_whole AND k.status_before <> s.status AND (m.condition IS NULL OR (m.condition = 'NOTHING_INVESTED' AND k.is_invested)
    OR (m.condition = 'NOTHING_OWED' AND (${isOwing} OR (k.is_invested AND NOT EXISTS (${instalments})))))`;

const lostPayments = `
  SELECT e.file, e.line, e.path, 'schedule' AS field, ${violation('PAID_LEFT_OUT', { number: 'e.installment_number' })}
  FROM known_schedule e JOIN known_tranches k ON k.id = e.tranche_id AND k.is_whole
  WHERE e.is_gone AND (e.status_before = 'PAID' OR EXISTS (SELECT FROM tokenization.schedule_payments p
    WHERE p.tranche_id = e.tranche_id AND p.installment_number = e.installment_number AND p.reversed_at IS NULL))`;

/** SQL of whether the percentages of the series `k` are of the issue value: the percentage of an early redemption follows from all others. */
const isOfIssueValue = `EXISTS (SELECT FROM tokenization.tranches t WHERE t.id = k.id AND t.amortization_of = 'ISSUE_VALUE')`;

/** Instalments that an event changed or ended keep their state while the event stands. */
const changedByEvents = `
  SELECT s.file, s.line, s.path, 'installmentNumber' AS field, ${violation('CHANGED_BY_EVENT', { event: `'E' || event.number` })}
  FROM import_schedule_entries s JOIN known_tranches k ON k.ticker = lower(s.owner_tranche)
  JOIN tokenization.tranche_events event ON event.tranche_id = k.id AND event.withdrawn_at IS NULL
  LEFT JOIN tokenization.schedule_entries e ON e.tranche_id = k.id AND e.installment_number = s.installment_number
  WHERE (e.calculation_date, e.interest_event, e.amortization_percentage) IS DISTINCT FROM (s.calculation_date, s.interest_event, s.amortization_percentage)
    AND (event.replaced @> jsonb_build_array(jsonb_build_object('installmentNumber', s.installment_number))
      OR (event.kind = 'EARLY_REDEMPTION' AND (s.calculation_date >= event.day OR ${isOfIssueValue})))`;

const leftOutOfEvents = `
  SELECT e.file, e.line, e.path, 'schedule' AS field, ${violation('CHANGED_BY_EVENT', { event: `'E' || event.number` })}
  FROM known_schedule e JOIN tokenization.tranche_events event ON event.tranche_id = e.tranche_id AND event.withdrawn_at IS NULL
  WHERE e.is_gone AND event.replaced @> jsonb_build_array(jsonb_build_object('installmentNumber', e.installment_number))`;

/** A quantity other than that now, or as it was before units were redeemed, would give redeemed units back. */
const redeemedUnits = `
  SELECT s.file, s.line, s.path, 'tokenQuantity' AS field, ${violation('CHANGED_BY_EVENT', { event: `'E' || redeemed.last` })}
  FROM import_tranches s JOIN known_tranches k ON k.ticker = lower(s.ticker) JOIN tokenization.tranches t ON t.id = k.id
  JOIN (${redeemedOf}) AS redeemed ON redeemed.tranche_id = t.id
  WHERE s.token_quantity NOT IN (t.token_quantity, t.token_quantity + redeemed.units)`;

/** An instalment that the act `$1` added on a day with a published price. */
export const newlyPriced = `
  SELECT s.file, s.line, s.path, 'calculationDate' AS field, ${violation('NEW_PRICED', { day: 's.calculation_date' })}
  FROM import_schedule_entries s JOIN known_tranches k ON k.ticker = lower(s.owner_tranche) JOIN tokenization.tranches t ON t.id = k.id
  JOIN tokenization.schedule_entries e ON e.tranche_id = k.id AND e.installment_number = s.installment_number AND e.recorded_by = $1
  WHERE s.calculation_date <= t.priced_on AND NOT EXISTS (SELECT FROM tokenization.schedule_entries_versions v
    WHERE v.tranche_id = e.tranche_id AND v.installment_number = e.installment_number AND v.superseded_by = $1)`;

/** Payments that operators recorded change only by acts of operators. */
const recordedPayments = `
  SELECT s.file, s.line, s.path, 'paidOn' AS field, ${violation('PAID_BY_RECORD', {
    paid: `(SELECT sum(p.interest + p.principal) FROM tokenization.schedule_payments p
      WHERE p.tranche_id = e.tranche_id AND p.installment_number = e.installment_number AND p.reversed_at IS NULL)::text`,
  })}
  FROM import_schedule_entries s JOIN known_tranches k ON k.ticker = lower(s.owner_tranche)
  JOIN tokenization.schedule_entries e ON e.tranche_id = k.id AND e.installment_number = s.installment_number
  WHERE ${isPartlyPaid} AND (e.paid_on, e.interest_value, e.principal_value) IS DISTINCT FROM
    (coalesce(s.paid_on, e.paid_on), coalesce(s.interest_value, e.interest_value), coalesce(s.principal_value, e.principal_value))`;

const daysInOrder = `
  SELECT file, line, path, 'calculationDate' AS field, rule,
    ${givenBy({ value: 'calculation_date', other: `CASE rule WHEN 'INSTALMENT_ORDER' THEN day_before ELSE first_day END` })} AS given
  FROM (
    SELECT e.*, k.remuneration_start_date AS first_day, lag(e.calculation_date) OVER numbers AS day_before, CASE
      WHEN lag(e.installment_number) OVER numbers < e.installment_number AND e.calculation_date < lag(e.calculation_date) OVER numbers
        THEN 'INSTALMENT_ORDER'
      WHEN e.calculation_date <= k.remuneration_start_date THEN 'BEFORE_REMUNERATION' END AS rule
    FROM known_schedule e JOIN known_tranches k ON k.id = e.tranche_id AND k.is_whole
    WHERE NOT e.is_gone AND e.installment_number > 0 WINDOW numbers AS (PARTITION BY e.tranche_id ORDER BY e.installment_number)
  ) e WHERE rule IS NOT NULL`;

const paidWithoutValue = `
  SELECT file, line, path, 'interestValue' AS field, ${violation('PAID_WITHOUT_PRICE')}
  FROM known_schedule WHERE NOT is_gone AND status = 'PAID' AND total_value IS NULL`;

const moreThanWhole = `
  SELECT k.file, k.line, k.path, 'schedule' AS field, ${violation('AMORTIZES_TOO_MUCH', { share: 'sum(e.amortization_percentage)' })}
  FROM known_tranches k JOIN import_tranches s ON lower(s.ticker) = k.ticker AND s.amortization_of = 'ISSUE_VALUE'
  JOIN known_schedule e ON e.tranche_id = k.id AND NOT e.is_gone
  GROUP BY k.file, k.line, k.path, k.id HAVING sum(e.amortization_percentage) > 100`;

const incorporatedLate = `
  SELECT k.file, k.line, k.path, 'schedule' AS field,
    ${violation('INCORPORATED_AFTER_AMORTIZATION', { number: 'min(e.installment_number)' })}
  FROM known_tranches k JOIN import_tranches s ON lower(s.ticker) = k.ticker AND s.amortization_of = 'ISSUE_VALUE'
  JOIN known_schedule e ON e.tranche_id = k.id AND NOT e.is_gone AND e.interest_event = 'INCORPORATED'
  WHERE EXISTS (SELECT FROM known_schedule a WHERE a.tranche_id = k.id AND NOT a.is_gone
    AND a.calculation_date <= e.calculation_date AND a.amortization_percentage > 0)
  GROUP BY k.file, k.line, k.path, k.id`;

export const trancheChecks: readonly string[] = [
  transitions,
  lostPayments,
  changedByEvents,
  leftOutOfEvents,
  redeemedUnits,
  recordedPayments,
  repeated(schedule, ['lower(s.owner_tranche)', 's.calculation_date'], 'calculationDate', (place) =>
    violation('SAME_DAY', { place }),
  ),
  daysInOrder,
  paidWithoutValue,
  moreThanWhole,
  incorporatedLate,
];
