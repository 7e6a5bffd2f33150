import { describeEnum } from '../../shared/graphql/describe-enum.js';
import type { Calendar } from '../../shared/kernel/calendar/calendar.js';

/** How the days of a period are counted, and how many of them make a year. */
export const dayCounts = {
  BUS252: { basis: 'BUS252', yearDays: 252 },
  CIVIL_365: { basis: 'CIVIL', yearDays: 365 },
  CIVIL_360: { basis: 'CIVIL', yearDays: 360 },
} as const;
export type DayCount = keyof typeof dayCounts;

/** Both day counts of a period, including its first day and excluding its last. */
export interface PeriodDays {
  readonly businessDays: number;
  readonly calendarDays: number;
}

const msPerDay = 86_400_000;

/** Counts from `from` (included) to `to` (excluded); both `YYYY-MM-DD`. @throws {RangeError} for an invalid day, or one that the calendar does not cover */
export function daysBetween(from: string, to: string, calendar: Calendar): PeriodDays {
  return {
    businessDays: calendar.businessDaysBetween(from, to),
    calendarDays: (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / msPerDay,
  };
}

/** Returns the one of both counts that a day count uses. */
export function countedDays(dayCount: DayCount, { businessDays, calendarDays }: PeriodDays): number {
  return dayCounts[dayCount].basis === 'BUS252' ? businessDays : calendarDays;
}

export const DayCountEnum = describeEnum<DayCount>(
  'DayCount',
  'Day count: counted days, and days of a year.',
  {
    BUS252: 'Business days over 252',
    CIVIL_365: 'Calendar days over 365',
    CIVIL_360: 'Calendar days over 360',
  },
  {
    BUS252: ['Dias úteis/252', 'Business days/252'],
    CIVIL_365: ['Dias corridos/365', 'Calendar days/365'],
    CIVIL_360: ['Dias corridos/360', 'Calendar days/360'],
  },
);
