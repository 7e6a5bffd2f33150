import type { DomainEvent } from '../../../shared/events/outbox/outbox.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/** The fields of an event about an instalment. */
export type InstalmentNews = Pick<
  ScheduleEntryRow,
  'installmentNumber' | 'dueDate' | 'interestValue' | 'principalValue' | 'totalValue' | 'status'
> & {
  /** Whether the instalment had been paid before, and that payment was reversed. */
  readonly correction: boolean;
};

/** Builds the event of an instalment that was paid or is overdue; unknown values are left out, and so is `correction` where it is false. */
export function paymentEvent(
  topic: 'payment.completed' | 'payment.overdue',
  trancheTicker: string,
  row: InstalmentNews,
): DomainEvent {
  const { installmentNumber, dueDate, interestValue, principalValue, totalValue, status, correction } = row;
  const known = interestValue === null ? {} : { interestValue, principalValue, totalValue };
  const data = { trancheTicker, installmentNumber, dueDate, ...known, status, ...(correction ? { correction } : {}) };
  return { topic, key: trancheTicker, payload: { ownerId: null, data } };
}
