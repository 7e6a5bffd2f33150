import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { graph, type Operations } from './graph.js';
import type { auditFilter } from './parameters.js';

type Entry = Operations['auditLog']['data']['auditLog']['nodes'][number];

/** In the order and under the names of `lastro audit export`. */
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
] as const satisfies readonly (keyof Entry)[];

export const auditFormats = ['CSV', 'JSONL'] as const;
export type AuditFormat = (typeof auditFormats)[number];

export interface Exported {
  readonly done: number;
  readonly total: number;
}

/** Reads entries page by page, oldest first, for a file. The server records the export first. @throws {FailureError} also for too many entries */
export async function readAuditFile(
  filter: ReturnType<typeof auditFilter>,
  format: AuditFormat,
  onRead: (exported: Exported) => void,
): Promise<readonly string[]> {
  const { startAuditExport: total } = await graph.mutate('startAuditExport', { filter, format });
  const parts = format === 'CSV' ? [csvLine(fields, ';')] : [];
  let left = total ?? 0;
  let before: string | null = null;
  while (left > 0) {
    const { auditLog }: Operations['auditLog']['data'] = await graph.query('auditLog', { filter, last: 200, before });
    const entries = auditLog.nodes.toReversed().slice(0, left);
    parts.push(entries.map(format === 'CSV' ? lineOf : jsonOf).join(''));
    left -= entries.length;
    onRead({ done: (total ?? 0) - left, total: total ?? 0 });
    if (!auditLog.pageInfo.hasPreviousPage) break;
    before = auditLog.pageInfo.startCursor;
  }
  return parts;
}

function lineOf(entry: Entry): string {
  return csvLine(
    fields.map((field) => String(entry[field] ?? '')),
    ';',
  );
}

function jsonOf(entry: Entry): string {
  const pairs = fields.map((field) => [field, stateOf(entry, field)] as const);
  return `${JSON.stringify(Object.fromEntries(pairs))}\n`;
}

/** The states are JSON already. */
function stateOf(entry: Entry, field: (typeof fields)[number]): unknown {
  const value = entry[field];
  return (field === 'before' || field === 'after') && typeof value === 'string' ? JSON.parse(value) : value;
}
