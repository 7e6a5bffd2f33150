import { addDays } from '../../../shared/kernel/calendar/days.js';

export const periodicities = ['ONCE', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL'] as const;
export type Periodicity = (typeof periodicities)[number];

export const obligationStatuses = ['PENDING', 'OVERDUE', 'DELIVERED', 'DELIVERED_LATE', 'WAIVED'] as const;
export type ObligationStatus = (typeof obligationStatuses)[number];

export interface ObligationFacts {
  readonly dueDate: string;
  readonly graceDays: number;
  readonly deliveredDate: string | null;
  readonly waivedDate: string | null;
}

/** Later dates are ignored. A delivery takes precedence over a waiver, and is punctual up to the last day of grace. */
export function obligationStatus(facts: ObligationFacts, today: string): ObligationStatus {
  const lastDay = addDays(facts.dueDate, facts.graceDays);
  if (facts.deliveredDate !== null && facts.deliveredDate <= today) {
    return facts.deliveredDate <= lastDay ? 'DELIVERED' : 'DELIVERED_LATE';
  }
  if (facts.waivedDate !== null && facts.waivedDate <= today) return 'WAIVED';
  return today > lastDay ? 'OVERDUE' : 'PENDING';
}

/** Labels in Portuguese and English. */
export const obligationLabels: Readonly<Record<ObligationStatus, readonly [string, string]>> = {
  PENDING: ['Pendente', 'Pending'],
  OVERDUE: ['Em atraso', 'Overdue'],
  DELIVERED: ['Entregue', 'Delivered'],
  DELIVERED_LATE: ['Entregue com atraso', 'Delivered late'],
  WAIVED: ['Dispensada', 'Waived'],
};

export const periodicityLabels: Readonly<Record<Periodicity, readonly [string, string]>> = {
  ONCE: ['Única', 'Once'],
  MONTHLY: ['Mensal', 'Monthly'],
  QUARTERLY: ['Trimestral', 'Quarterly'],
  SEMIANNUAL: ['Semestral', 'Semiannual'],
  ANNUAL: ['Anual', 'Annual'],
};

export const communicationKinds = ['NOTICE', 'MATERIAL_FACT'] as const;
export type CommunicationKind = (typeof communicationKinds)[number];
