import type { DomainEvent } from '../../../shared/events/outbox/outbox.js';
import { numberOf } from './schedule-entry.type.js';
import { openOf, shownStatus, type DueColumns } from './payment.js';
import type { ScheduleEntryRow } from './schedule.store.js';

export type InstalmentNews = DueColumns &
  Pick<ScheduleEntryRow, 'installmentNumber' | 'dueDate'> & {
    /** Whether the instalment had been paid before, and that payment was reversed. */
    readonly correction: boolean;
  };

/** Builds the event of an instalment that was paid or is overdue; unknown values are left out, `openValue` where nothing or all is paid, and `correction` where it is false. */
export function paymentEvent(
  topic: 'payment.completed' | 'payment.overdue',
  trancheTicker: string,
  row: InstalmentNews,
): DomainEvent {
  const { dueDate, interestValue, principalValue, premiumValue, totalValue, status, correction } = row;
  const { installmentNumber, event } = numberOf(row);
  const ofEvent = event === null ? {} : { event };
  const premium = event === null ? {} : { premiumValue };
  const known = interestValue === null ? {} : { interestValue, principalValue, ...premium, totalValue };
  const open = shownStatus(row) === 'PARTIALLY_PAID' ? { openValue: openOf(row) } : {};
  const corrects = correction ? { correction } : {};
  const data = { trancheTicker, installmentNumber, ...ofEvent, dueDate, ...known, ...open, status, ...corrects };
  return { topic, key: trancheTicker, payload: { ownerId: null, data } };
}
