import { inCsv, notFaulty } from '../../../../shared/import/check.js';
import { givenBy, violation } from '../../../../shared/import/import-rules.js';
import type { Kind } from '../../../../shared/import/model/kind.js';
import { ownersOf, stagedForm } from '../../../../shared/import/write/read-back.js';
import { stagedColumns, stageOf } from '../../../../shared/import/write/sql.js';
import { payments } from '../model/cash.js';
import { contracts } from '../model/credits.js';
import { isPricedByEngine } from '../../series/series.store.js';
import { isPartialRedemption } from '../../payments/payment.js';
import { series } from '../model/operations.js';

export const unknownContracts = `
  SELECT s.file, s.line, s.path, 'contractExternalId' AS field, ${violation('CONTRACT_UNKNOWN', { value: 's.owner_contract' })}
  FROM import_contract_positions s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  LEFT JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract
  LEFT JOIN import_credit_contracts i ON lower(i.owner_operation) = k.ticker AND i.external_id = s.owner_contract
  WHERE ${inCsv} AND c.id IS NULL AND i.id IS NULL AND ${notFaulty(contracts, 'k.ticker', 's.owner_contract')}`;

/** Checks that the series of an operation's record exists and belongs to that operation. */
export function foreignSeries(kind: Kind): string[] {
  if (!kind.fields.some(({ refersTo }) => refersTo !== undefined)) return [];
  return [
    `SELECT s.file, s.line, s.path, 'trancheTicker' AS field,
      CASE WHEN e.id IS NULL THEN 'SERIES_UNKNOWN' ELSE 'SERIES_FOREIGN' END AS rule, ${givenBy({ value: 's.series_ticker' })} AS given
    FROM ${stageOf(kind)} s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
    LEFT JOIN known_series e ON e.ticker = lower(s.series_ticker)
    WHERE s.series_ticker IS NOT NULL AND e.operation_id IS DISTINCT FROM k.id AND ${notFaulty(series, `''`, 's.series_ticker')}`,
  ];
}

/** A month can be complete only if it has positions, in the input or in the database. */
export const completeWithoutPositions = `
  SELECT s.file, s.line, s.path, 'month' AS field,
    ${violation('NO_POSITIONS', { value: `to_char(s.month, 'YYYY-MM')` })}
  FROM import_complete_months s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  WHERE NOT EXISTS (SELECT FROM issuances.report_inputs i WHERE i.operation_id = k.id AND i.month = s.month AND i.has_positions)
  AND NOT EXISTS (SELECT FROM import_contract_positions p WHERE lower(p.owner_operation) = k.ticker AND p.month = s.month)`;

/** Compares the stated number of positions of a complete month with the actual one. */
export const otherPositions = `
  SELECT s.file, s.line, s.path, 'positions' AS field,
    ${violation('OTHER_POSITIONS', { value: 's.positions', count: 'known.count', month: `to_char(s.month, 'YYYY-MM')` })}
  FROM import_complete_months s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  CROSS JOIN LATERAL (
    SELECT count(*) FROM (
      SELECT c.external_id FROM issuances.contract_positions p JOIN issuances.credit_contracts c ON c.id = p.contract_id
      WHERE p.operation_id = k.id AND p.month = s.month
      UNION SELECT p.owner_contract FROM import_contract_positions p WHERE lower(p.owner_operation) = k.ticker AND p.month = s.month
    ) AS position
  ) AS known
  WHERE s.positions IS NOT NULL AND known.count > 0 AND known.count <> s.positions`;

/** The engine keeps the prices of a series that a tranche names: only what it wrote itself may be stated. */
export const pricedByEngine = `
  SELECT s.file, s.line, s.path, 'value' AS field, ${violation('ENGINE_PRICE', { ticker: 'e.ticker', tranche: 'e.engine_tranche' })}
  FROM import_unit_prices s JOIN issuances.series e ON lower(e.ticker) = lower(s.owner_series)
  LEFT JOIN issuances.unit_prices u ON u.series_id = e.id AND u.date = s.date
  WHERE ${isPricedByEngine('e')} AND u.value IS DISTINCT FROM s.value`;

/** SQL for stated payments that differ from the engine's. */
export const paidByEngine = `
  SELECT s.file, s.line, s.path, 'trancheTicker' AS field, ${violation('ENGINE_PAYMENT', { ticker: 'e.ticker', tranche: 'e.engine_tranche' })}
  FROM import_payments s JOIN issuances.series e ON lower(e.ticker) = lower(s.series_ticker)
  LEFT JOIN issuances.payments p ON p.series_id = e.id AND p.installment_number = s.installment_number AND p.event = s.event
  WHERE ${isPricedByEngine('e')} AND (p.id IS NULL OR (p.due_date, p.paid_date, p.interest_value, p.principal_value, p.total_value)
    IS DISTINCT FROM (s.due_date, s.paid_date, s.interest_value, s.principal_value, s.total_value))`;

/** Keeps the engine's payments when a list of payments is stated, and the engine's status and quantity when a series is stated. */
export const keepEngineBook = `
  INSERT INTO import_payments (${stagedColumns(payments)
    .map(({ name }) => name)
    .join(', ')})
  SELECT ${stagedForm(payments)} FROM issuances.payments o ${ownersOf(payments, 'o').joins}
  JOIN issuances.series e ON e.id = o.series_id
  WHERE ${isPricedByEngine('e')} AND NOT EXISTS (SELECT FROM import_payments s WHERE lower(s.series_ticker) = lower(e.ticker)
      AND s.installment_number = o.installment_number AND s.event = o.event)
    AND EXISTS (SELECT FROM import_lists l JOIN issuances.operations op ON lower(op.ticker) = lower(l.owner)
      WHERE l.kind = 'payments' AND op.id = o.operation_id);
  UPDATE import_series s SET status = e.status, quantity = e.quantity, issued_total = e.issued_total, raised_amount = e.raised_amount,
    subscribed_quotas = e.subscribed_quotas
  FROM issuances.series e WHERE lower(e.ticker) = lower(s.ticker) AND ${isPricedByEngine('e')}`;

/** A typed price that the act `$1` wrote and that differs from the engine's, of a series whose prices an operator types. */
export const typedBesideEngine = `
  SELECT s.file, s.line, s.path, 'value' AS field,
    ${violation('ENGINE_DIFFERS', { value: 'u.value', engine: 'n.value', difference: 'u.value - n.value' })}
  FROM import_unit_prices s JOIN issuances.series e ON lower(e.ticker) = lower(s.owner_series)
  JOIN issuances.engine_prices n ON n.series_id = e.id AND n.date = s.date
  JOIN issuances.unit_prices u ON u.series_id = e.id AND u.date = s.date AND u.recorded_by = $1
  WHERE e.typed_reason IS NOT NULL AND abs(u.value - n.value) > 0.00000001`;

/** A credit that an originator assigned is stated by nobody else. */
export const assignedContracts = `
  SELECT s.file, s.line, s.path, 'externalId' AS field, ${violation('ENGINE_CONTRACT', { value: 's.external_id' })}
  FROM import_credit_contracts s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.external_id AND c.engine_patrimony_id IS NOT NULL`;

/** Such a credit has no positions: at the end of a month it is as it was recorded then. */
export const assignedPositions = `
  SELECT s.file, s.line, s.path, 'contractExternalId' AS field, ${violation('ENGINE_CONTRACT', { value: 's.owner_contract' })}
  FROM import_contract_positions s JOIN known_operations k ON k.ticker = lower(s.owner_operation)
  JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract AND c.engine_patrimony_id IS NOT NULL`;

/**
 * SQL for unit prices of the act `$1` that differ from the price before (perhaps of the same files) by more than `maxDailyChangePercent` of their series.
 * Payments due or made between both days explain a fall of up to their amount on a unit, since some houses publish the price of such a day with the payment,
 * others without it. The payments due on a day explain only one fall: of the possible ones, the fall nearest to their amount. After a price of 0, any other
 * price is a jump.
 */
export const priceJumps = `
  WITH price AS MATERIALIZED (
    SELECT series_id, date, value, recorded_by, lag(value) OVER earlier AS before, lag(date) OVER earlier AS day_before
    FROM issuances.unit_prices WHERE series_id IN (SELECT series_id FROM issuances.unit_prices WHERE recorded_by = $1)
    WINDOW earlier AS (PARTITION BY series_id ORDER BY date)
  ), moved AS (
    SELECT price.*, series.ticker, series.max_daily_change_percent AS most
    FROM price JOIN issuances.series ON series.id = price.series_id
    WHERE price.recorded_by = $1 AND abs(price.value - price.before) * 100 > price.before * series.max_daily_change_percent
  ), due AS (
    SELECT payment.series_id, due_date, array_agg(paid_date) || due_date AS days,
      sum(coalesce(total_value, coalesce(interest_value, 0) + coalesce(principal_value, 0))
        / nullif(coalesce(payment.units, series.subscribed_quotas, series.quantity), 0)) AS value
    FROM issuances.payments AS payment JOIN issuances.series ON series.id = payment.series_id AND series.operation_id = payment.operation_id
    WHERE payment.series_id IN (SELECT series_id FROM moved) AND NOT ${isPartialRedemption} GROUP BY payment.series_id, due_date
  ), explained AS MATERIALIZED (
    SELECT DISTINCT ON (due.series_id, due_date) price.series_id, price.date, due.value
    FROM due CROSS JOIN unnest(due.days) AS day
    CROSS JOIN LATERAL (SELECT date FROM issuances.unit_prices AS next WHERE next.series_id = due.series_id AND next.date >= day ORDER BY date LIMIT 2) AS near
    JOIN price ON price.series_id = due.series_id AND price.date = near.date AND price.day_before <= day
    ORDER BY due.series_id, due_date, abs(price.before - price.value - due.value), price.date
  )
  SELECT s.file, s.line, s.path, 'value' AS field, ${violation('PRICE_JUMP', {
    value: 'moved.value',
    change: `coalesce(round((moved.value / nullif(moved.before, 0) - 1) * 100, 4)::text, '∞')`,
    ticker: 'moved.ticker',
    before: 'moved.before',
    day: 'moved.day_before',
    limit: 'moved.most',
    paid: 'round(paid.value, 8)',
  })}
  FROM moved
  CROSS JOIN LATERAL (SELECT coalesce(sum(value), 0) AS value FROM explained WHERE series_id = moved.series_id AND date = moved.date) AS paid
  JOIN known_series k ON k.id = moved.series_id
  JOIN import_unit_prices s ON lower(s.owner_series) = k.ticker AND s.date = moved.date
  WHERE moved.value > moved.before OR (moved.before - moved.value - paid.value) * 100 > moved.before * moved.most`;
