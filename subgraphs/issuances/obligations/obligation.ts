import { addDays } from '../common/days.js';

export const periodicities = ['ONCE', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const;
export type Periodicity = (typeof periodicities)[number];

export const obligationStatuses = ['PENDING', 'OVERDUE', 'DELIVERED', 'DELIVERED_LATE', 'WAIVED'] as const;
export type ObligationStatus = (typeof obligationStatuses)[number];

/** The facts from which the status of an obligation follows. */
export interface ObligationFacts {
  readonly dueDate: string;
  readonly graceDays: number;
  readonly deliveredDate: string | null;
  readonly waivedDate: string | null;
}

/**
 * The status of an obligation on a day. What is dated after that day has not happened yet. A delivery counts more than a
 * waiver, and is punctual up to the last day of grace.
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
