import { addDays } from '../../../shared/kernel/calendar/days.js';

export const periodicities = ['ONCE', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const;
export type Periodicity = (typeof periodicities)[number];

export const obligationStatuses = ['PENDING', 'OVERDUE', 'DELIVERED', 'DELIVERED_LATE', 'WAIVED'] as const;
export type ObligationStatus = (typeof obligationStatuses)[number];

/** The facts that determine the status of an obligation. */
export interface ObligationFacts {
  readonly dueDate: string;
  readonly graceDays: number;
  readonly deliveredDate: string | null;
  readonly waivedDate: string | null;
}

/**
 * Returns the status of an obligation on a day. Later dates are ignored. A delivery takes precedence over a waiver, and is
 * punctual up to the last day of grace.
 */
export function obligationStatus(facts: ObligationFacts, today: string): ObligationStatus {
  const lastDay = addDays(facts.dueDate, facts.graceDays);
  if (facts.deliveredDate !== null && facts.deliveredDate <= today) {
    return facts.deliveredDate <= lastDay ? 'DELIVERED' : 'DELIVERED_LATE';
  }
  if (facts.waivedDate !== null && facts.waivedDate <= today) return 'WAIVED';
  return today > lastDay ? 'OVERDUE' : 'PENDING';
}

export const obligationLabels: Readonly<Record<ObligationStatus, string>> = {
  PENDING: 'Pendente',
  OVERDUE: 'Em atraso',
  DELIVERED: 'Entregue',
  DELIVERED_LATE: 'Entregue com atraso',
  WAIVED: 'Dispensada',
};

export const periodicityLabels: Readonly<Record<Periodicity, string>> = {
  ONCE: 'Única',
  MONTHLY: 'Mensal',
  QUARTERLY: 'Trimestral',
  SEMIANNUAL: 'Semestral',
  ANNUAL: 'Anual',
};
