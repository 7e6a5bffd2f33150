import type { DomainEvent } from '../../../shared/outbox/outbox.js';
import type { ScheduleEntryRow } from './schedule-entry.entity.js';

/** What is told of an instalment. */
export type InstalmentNews = Pick<
  Readonly<ScheduleEntryRow>,
  'installmentNumber' | 'dueDate' | 'interestValue' | 'principalValue' | 'totalValue' | 'status'
>;

/** What is told of an instalment that was paid, or is late; the values are left out where they are not known. */
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
