import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { auditOutcomes, type AuditOutcome } from '../shared/audit/entry.js';
import { readEntries, type AuditFilter, type StoredEntry } from '../shared/audit/read-entries.js';
import { actAs, requireRole } from '../shared/audit/record.js';
import { loadConfig } from '../shared/config.js';
import type { Context } from '../shared/context.js';
import { ApiError, refuse, type ErrorDetail } from '../shared/errors.js';
import { refused, withOperator } from './acting.js';
import { auditFormats, isAuditFormat, type AuditFormat } from './audit-format.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  actor: { type: 'string' },
  action: { type: 'string' },
  subject: { type: 'string' },
  outcome: { type: 'string' },
  limit: { type: 'string' },
  format: { type: 'string' },
} as const;
type Values = Readonly<Partial<Record<keyof typeof options, string>>>;

const usualLimit = 50;
const mostListed = 1_000;
const pageSize = 1_000;

export const auditCommand: Command = {
  usage: `Usage: npm run lastro -- audit list [--limit <n>] [filters]
       npm run lastro -- audit export [--format csv|jsonl] [filters]

list    the newest entries, one per line, newest first (default ${usualLimit}, at most ${mostListed})
export  all entries, oldest first, to standard output; jsonl by default. CSV has ; between fields, and text that a
        spreadsheet would read as a formula begins with '

  --from, --to  first day or moment, inclusive, and last one, exclusive (2026-11-22, 2026-11-22T12:00:00Z; days are in UTC)
  --actor       id of an operator or account, or the e-mail of an operator
  --action      name of the mutation or command, such as revokeOperator, import, operatorLogin
  --subject     id or ticker of the object of the action
  --outcome     DONE, REFUSED or FAILED

It requires the role administer. An export is itself recorded. The server may be running.
Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const { format = 'jsonl' } = values;
    if (positionals.length === 1 && positionals[0] === 'list' && values.format === undefined) {
      return run((context) => list(context, values));
    }
    if (
      positionals.length === 1 &&
      positionals[0] === 'export' &&
      values.limit === undefined &&
      isAuditFormat(format)
    ) {
      return run((context) => exportAll(context, values, format));
    }
    return Promise.resolve(misused(auditCommand.usage, args));
  },
};

function run(work: (context: Context) => Promise<void>): Promise<number> {
  return withOperator(loadConfig(), work).then(() => 0, refused);
}

async function list(context: Context, values: Values): Promise<void> {
  requireRole(context, 'administer', 'auditLog');
  const limit = Number(values.limit ?? usualLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw new ApiError('BAD_REQUEST', { message: `--limit must be from 1 to ${mostListed}` });
  const entries = await readEntries(context.manager, filterOf(values), { order: 'newest', limit });
  await print(entries.length === 0 ? 'There are no such entries.\n' : entries.map(lineOf).join(''));
}

function lineOf(entry: StoredEntry): string {
  const { at, outcome, action, subjectType, subjectId, actorName, actorKind, actorId, source, reason, occurrences } =
    entry;
  const parts = [
    at.toISOString(),
    outcome.padEnd(7),
    occurrences > 1 ? `${action} ×${occurrences}` : action,
    ...(subjectId === null ? [] : [`${subjectType ?? ''} ${subjectId}`]),
    `by ${actorName ?? `${actorKind} ${actorId}`} from ${source}`,
    ...(reason === null ? [] : [`(${reason})`]),
  ];
  return `${parts.join('  ')}\n`;
}

/** Writes the entries page by page, no faster than the reader takes them. */
async function exportAll(context: Context, values: Values, name: AuditFormat): Promise<void> {
  const filter = filterOf(values);
  await actAs(context, 'administer', { action: 'exportAuditLog', after: { ...values, format: name } }, () => undefined);
  const format = auditFormats[name];
  await print(format.head);
  let after: StoredEntry | undefined;
  for (;;) {
    const entries = await readEntries(context.manager, filter, { order: 'oldest', limit: pageSize, after });
    await print(entries.map(format.line).join(''));
    after = entries.at(-1);
    if (entries.length < pageSize) return;
  }
}

async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
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
