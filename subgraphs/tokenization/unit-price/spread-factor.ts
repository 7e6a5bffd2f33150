import { Decimal, round } from '../../../shared/decimal.js';
import { dayCounts, type DayCount } from './day-count.js';
import { power } from './power.js';

/**
 * Returns the factor of a fixed rate or spread over some days: `round((1 + rate/100)^(days/year), 9)`.
 * @param rate percent a year
 * @param days business days for BUS252, calendar days else
 */
export function spreadFactor(rate: Decimal, dayCount: DayCount, days: number): Decimal {
  return round(power(rate.div(100).plus(1), new Decimal(days).div(dayCounts[dayCount].yearDays)), 9);
}
