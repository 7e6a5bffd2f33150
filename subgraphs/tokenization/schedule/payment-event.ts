import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/** The fields of an event about an instalment. */
export type InstalmentNews = Pick<
  ScheduleEntryRow,
  'installmentNumber' | 'dueDate' | 'interestValue' | 'principalValue' | 'totalValue' | 'status'
>;

/** Builds the event of an instalment that was paid or is overdue; unknown values are left out. */
export function paymentEvent(
  topic: 'payment.completed' | 'payment.overdue',
  trancheTicker: string,
  row: InstalmentNews,
): DomainEvent {
  const { installmentNumber, dueDate, interestValue, principalValue, totalValue, status } = row;
  const known = interestValue === null ? {} : { interestValue, principalValue, totalValue };
  const data = { trancheTicker, installmentNumber, dueDate, ...known, status };
  return { topic, key: trancheTicker, payload: { ownerId: null, data } };
}
