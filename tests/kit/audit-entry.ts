import type { AuditEntry } from '../../shared/security/audit/entry.js';

/** An entry of the audit log: an act that was refused. */
export function auditEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'id',
    actorKind: 'OPERATOR',
    actorId: 'olga',
    actorName: null,
    credentialId: 'key',
    source: '203.0.113.7',
    requestId: 'r',
    action: 'act',
    subjectType: null,
    subjectId: null,
    outcome: 'REFUSED',
    occurrences: 1,
    before: null,
    after: null,
    reason: null,
    ...over,
  };
}
