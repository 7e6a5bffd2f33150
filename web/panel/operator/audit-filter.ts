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
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  );
}

/** Returns the filter of the graph. Days begin and end in São Paulo. */
export function filterOf({ actor, action, subject, outcome, from, to }: AuditParameters) {
  return {
    actor: actor ?? null,
    action: action ?? null,
    subject: subject ?? null,
    outcome: outcomes.find((one) => one === outcome) ?? null,
    from: from === undefined ? null : `${from}T00:00:00-03:00`,
    to: to === undefined ? null : `${to}T23:59:59.999-03:00`,
  };
}
