import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal, sum } from '../../../shared/decimal.js';
import type { ScheduleEntryRow } from '../schedule/schedule.store.js';
import type { TrancheRow } from './tranche.store.js';

/** The fields of a series that decide whether its price is up to date. */
export type PricedSeries = Pick<TrancheRow, 'status' | 'remunerationStartDate' | 'pricedOn' | 'amortizationOf'>;

type Instalment = Pick<ScheduleEntryRow, 'calculationDate' | 'amortizationPercentage'>;

/**
 * Whether a newer price than the visible one is due: of the last business day that has begun, or of the day of the last instalment if that
 * repays the series. Only series that are offered or in force are priced.
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

/** Returns the day on which no principal is left; undefined if the instalments leave some. */
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
