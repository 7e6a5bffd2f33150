import type { StoredEntry } from '../shared/audit/read-entries.js';

/** How audit entries are written to a file. */
interface Format {
  readonly head: string;
  readonly line: (entry: StoredEntry) => string;
}

const fields = [
  'at',
  'id',
  'actorKind',
  'actorId',
  'actorName',
  'credentialId',
  'source',
  'requestId',
  'action',
  'subjectType',
  'subjectId',
  'outcome',
  'occurrences',
  'before',
  'after',
  'reason',
] as const satisfies readonly (keyof StoredEntry)[];

export const auditFormats = {
  csv: {
    head: `${fields.join(';')}\r\n`,
    line: (entry) => `${fields.map((field) => csvCell(entry[field])).join(';')}\r\n`,
  },
  jsonl: {
    head: '',
    line: (entry) => `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, entry[field]])))}\n`,
  },
} as const satisfies Record<string, Format>;

export type AuditFormat = keyof typeof auditFormats;

export function isAuditFormat(text: string): text is AuditFormat {
  return Object.keys(auditFormats).includes(text);
}

/** Returns a cell of a CSV file (RFC 4180 with `;`). A leading apostrophe turns a value that a spreadsheet would read as a formula into text. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
