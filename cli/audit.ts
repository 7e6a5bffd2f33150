import { parseArgs } from 'node:util';
import { auditOutcomes, type AuditOutcome } from '../shared/security/audit/entry.js';
import { readEntries, type AuditFilter, type StoredEntry } from '../shared/security/audit/read-entries.js';
import { actAs } from '../shared/security/audit/record.js';
import { loadConfig } from '../shared/kernel/config.js';
import type { Context } from '../shared/kernel/context.js';
import { refuse, type ErrorDetail } from '../shared/kernel/errors.js';
import { csvLine } from '../shared/kernel/format/csv-line.js';
import { withOperator } from './acting.js';
import { misused, type Command } from './command.js';
import { printed } from './print.js';

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  actor: { type: 'string' },
  action: { type: 'string' },
  subject: { type: 'string' },
  outcome: { type: 'string' },
  format: { type: 'string' },
} as const;
type Values = Readonly<Partial<Record<keyof typeof options, string>>>;

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

interface Format {
  readonly head: string;
  readonly line: (entry: StoredEntry) => string;
}

const formats: Readonly<Record<string, Format>> = {
  csv: {
    head: csvLine(fields, ';'),
    line: (entry) =>
      csvLine(
        fields.map((field) => toCell(entry[field])),
        ';',
      ),
  },
  jsonl: {
    head: '',
    line: (entry) => `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, entry[field]])))}\n`,
  },
};

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const pageSize = 1_000;

export const auditCommand: Command = {
  usage: `Usage: npm run lastro -- audit export [--format csv|jsonl] [filters]

Writes all entries, oldest first, to standard output; jsonl by default. CSV has ; between fields, and text that a
spreadsheet would read as a formula begins with '. \`auditLog\` lists entries in pages.

  --from, --to  first day or moment, inclusive, and last one, exclusive (2026-11-22, 2026-11-22T12:00:00Z; days are in UTC)
  --actor       id of an operator or account, or the e-mail of an operator
  --action      name of the mutation or command, such as revokeOperator, import, operatorLogin
  --subject     id or ticker of the object of the action
  --outcome     DONE, REFUSED or FAILED

It requires the role administer. An export is itself recorded. The server may be running.
Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const { format: name = 'jsonl' } = values;
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    if (positionals.join(' ') !== 'export' || format === undefined) return Promise.resolve(misused(auditCommand));
    return withOperator(loadConfig(), (context) => exportAll(context, { ...values, format: name }, format));
  },
};

/** Writes the entries page by page, no faster than the reader takes them. */
async function exportAll(context: Context, values: Values, format: Format): Promise<number> {
  const filter = filterOf(values);
  await actAs(context, 'administer', { action: 'exportAuditLog', after: values }, () => undefined);
  await printed(format.head);
  let after: StoredEntry | undefined;
  for (;;) {
    const entries = await readEntries(context.manager, filter, { order: 'oldest', limit: pageSize, after });
    await printed(entries.map(format.line).join(''));
    after = entries.at(-1);
    if (entries.length < pageSize) return 0;
  }
}

/** @throws {ApiError} BAD_REQUEST with every filter that is invalid */
function filterOf({ actor, action, subject, outcome, from, to }: Values): AuditFilter {
  const details: ErrorDetail[] = [];
  const momentOf = (path: string, text: string | undefined): Date | undefined => {
    if (text === undefined) return undefined;
    const moment = new Date(text);
    if (/^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) && !Number.isNaN(moment.getTime())) return moment;
    details.push({
      path: `--${path}`,
      message: 'must be a day or a moment, such as 2026-11-22 or 2026-11-22T12:00:00Z',
    });
    return undefined;
  };
  if (outcome !== undefined && !isOutcome(outcome)) {
    details.push({ path: '--outcome', message: `must be one of ${auditOutcomes.join(', ')}` });
  }
  const filter = {
    actor,
    action,
    subject,
    outcome: outcome !== undefined && isOutcome(outcome) ? outcome : undefined,
    from: momentOf('from', from),
    to: momentOf('to', to),
  };
  refuse('BAD_REQUEST', details);
  return filter;
}

function isOutcome(text: string): text is AuditOutcome {
  return auditOutcomes.some((outcome) => outcome === text);
}
