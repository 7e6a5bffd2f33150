import { addDays } from '../../../shared/kernel/calendar/days.js';
import { startOfDay } from '../../../shared/kernel/clock.js';

/** Parameters of the address that filter the audit log. */
export const auditFields = ['actor', 'action', 'subject', 'outcome', 'from', 'to'] as const;
export type AuditParameters = Readonly<Partial<Record<(typeof auditFields)[number], string>>>;

export const outcomes = ['DONE', 'REFUSED', 'FAILED'] as const;

/** Returns the parameters of an address that filter the log; all others are left out. */
export function auditParameters(search: Readonly<Record<string, unknown>>): AuditParameters {
  return Object.fromEntries(
    auditFields.flatMap((name) => {
      const value = search[name];
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || text === '') return [];
      return (name === 'from' || name === 'to') && !isDay(text) ? [] : [[name, text]];
    }),
  );
}

const isDay = (text: string) => /^(19|20)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns the filter of the graph: days are those of São Paulo, and the last of them is wholly in it. */
export function filterOf({ actor, action, subject, outcome, from, to }: AuditParameters) {
  return {
    actor: actor ?? null,
    action: action ?? null,
    subject: subject ?? null,
    outcome: outcomes.find((one) => one === outcome) ?? null,
    from: from === undefined ? null : startOfDay(from).toISOString(),
    to: to === undefined ? null : startOfDay(addDays(to, 1)).toISOString(),
  };
}
