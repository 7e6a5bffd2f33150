import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal, sum } from '../../../shared/decimal.js';
import type { ScheduleEntryRow } from '../schedule/schedule-entry.entity.js';
import type { TrancheRow } from './tranche.entity.js';

/** What of a series tells whether its price is of the last day that is due. */
export type PricedSeries = Pick<TrancheRow, 'status' | 'remunerationStartDate' | 'pricedOn' | 'amortizationOf'>;

type Instalment = Pick<ScheduleEntryRow, 'calculationDate' | 'amortizationPercentage'>;

/**
 * Whether a newer price than the one that a series shows is due: of the last business day that has begun, or of the day of the last instalment
 * where that repays it. Only series that are offered or in force have prices made.
 * @param instalments by number
 * @param today civil date in São Paulo
 */
export function isPriceStale(
  { status, remunerationStartDate, pricedOn, amortizationOf }: PricedSeries,
  instalments: readonly Instalment[],
  today: string,
  calendar: Calendar,
): boolean {
  if (status !== 'ACTIVE' && status !== 'FUNDRAISING') return false;
  const lastDay = calendar.preceding(today);
  const end = repaidOn(amortizationOf, instalments);
  const due = end !== undefined && end < lastDay ? end : lastDay;
  return remunerationStartDate <= due && (pricedOn === null || pricedOn < due);
}

/** The day on which nothing of the principal is left; undefined where the instalments leave some. */
function repaidOn(
  amortizationOf: TrancheRow['amortizationOf'],
  instalments: readonly Instalment[],
): string | undefined {
  const whole =
    amortizationOf === 'BALANCE'
      ? instalments.some(({ amortizationPercentage }) => new Decimal(amortizationPercentage).eq(100))
      : sum(instalments.map(({ amortizationPercentage }) => amortizationPercentage)).eq(100);
  return whole ? instalments.at(-1)?.calculationDate : undefined;
}
