import { violation } from '../../../../shared/import/import-rules.js';

/**
 * SQL for the unit prices that the act `$1` wrote and that move more than `maxDailyChangePercent` of their series from the newest price before, which may
 * come from the same files. Payments that were due or made between both days explain a fall, up to what they pay on a unit: some houses publish the price of
 * such a day with the payment, others without it. From a price of 0 any other price is a jump.
 */
export const priceJumps = `
  SELECT s.file, s.line, s.path, 'value' AS field, ${violation('PRICE_JUMP', {
    value: 'moved.value',
    change: `coalesce(round((moved.value / nullif(moved.before, 0) - 1) * 100, 4)::text, '∞')`,
    ticker: 'moved.ticker',
    before: 'moved.before',
    day: 'moved.day_before',
    limit: 'moved.most',
    paid: 'round(paid.value, 8)',
  })}
  FROM (
    SELECT price.*, series.ticker, series.operation_id, series.max_daily_change_percent AS most,
      coalesce(series.subscribed_quotas, series.quantity) AS units
    FROM (
      SELECT series_id, date, value, recorded_by, lag(value) OVER earlier AS before, lag(date) OVER earlier AS day_before
      FROM issuances.unit_prices WHERE series_id IN (SELECT series_id FROM issuances.unit_prices WHERE recorded_by = $1)
      WINDOW earlier AS (PARTITION BY series_id ORDER BY date)
    ) AS price JOIN issuances.series ON series.id = price.series_id
    WHERE price.recorded_by = $1 AND abs(price.value - price.before) * 100 > price.before * series.max_daily_change_percent
  ) AS moved
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(coalesce(total_value, coalesce(interest_value, 0) + coalesce(principal_value, 0))) / nullif(moved.units, 0), 0) AS value
    FROM issuances.payments AS payment
    WHERE payment.operation_id = moved.operation_id AND payment.series_id = moved.series_id
      AND (due_date BETWEEN moved.day_before AND moved.date OR paid_date BETWEEN moved.day_before AND moved.date)
  ) AS paid
  JOIN known_series k ON k.id = moved.series_id
  JOIN import_unit_prices s ON lower(s.owner_series) = k.ticker AND s.date = moved.date
  WHERE moved.value > moved.before OR (moved.before - moved.value - paid.value) * 100 > moved.before * moved.most`;
