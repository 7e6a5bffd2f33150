import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { entryValues } from '../events/entry-values.js';
import { standingEvents } from '../events/event.store.js';
import { tranchesById } from '../tranches/tranche.store.js';
import { pricesOfDays } from './schedule-writes.store.js';
import { schedulesOf, type ScheduleEntryRow } from './schedule.store.js';

/** Returns the payment of each instalment by the newest price of its day, less its amount; null without a price or an amount. */
export type LoadDifferences = (context: Context, rows: readonly ScheduleEntryRow[]) => Promise<(string | null)[]>;

export function createDifferences(calendar: () => Promise<Calendar>): LoadDifferences {
  return async (context, rows) => {
    const days = await calendar();
    const prices = await pricesOfDays(context, rows);
    const ids = rows.map(({ trancheId }) => trancheId);
    const found = await loaderOf(context, tranchesById).loadMany(ids);
    const schedules = await loaderOf(context, schedulesOf).loadMany(ids);
    const declared = await loaderOf(context, standingEvents).loadMany(ids);
    return rows.map(({ installmentNumber, calculationDate, totalValue }, index) => {
      const [price, series, schedule, events] = [prices[index], found[index], schedules[index], declared[index]];
      for (const part of [series, schedule, events]) if (part instanceof Error) throw part;
      if (price === undefined || totalValue === null || !isRead(series) || !isRead(schedule) || !isRead(events))
        return null;
      const ofDay = schedule.filter((row) => row.calculationDate === calculationDate);
      const due = entryValues(price, { rows: ofDay, series, events }, days).find(
        (value) => value.installmentNumber === installmentNumber,
      );
      return due === undefined ? null : new Decimal(due.totalValue).minus(totalValue).toFixed(2);
    });
  };
}

function isRead<T>(part: T | Error | undefined): part is T {
  return part !== undefined && !(part instanceof Error);
}
