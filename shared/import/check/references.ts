import { violation } from '../import-rules.js';
import type { Kind } from '../model/kind.js';
import { stageOf } from '../write/sql.js';

/*
 * Dangling references. Only a CSV line can name an owner that does not exist: in JSON a record is nested in its owner. A record that the input contains
 * with errors does not count as missing.
 */

/** Whether a staged row `s` is a line of a CSV file. */
export const inCsv = `s.path = ''`;

/** Whether the input contains no faulty record of that owner and name, both SQL expressions. */
export function notFaulty({ name: kind }: Kind, owner: string, name: string): string {
  return `NOT EXISTS (SELECT FROM import_faulty b WHERE b.kind = '${kind}' AND lower(b.owner) = ${owner} AND lower(b.name) = lower(${name}))`;
}

/** Whether the input contains no faulty record of that owner, an SQL expression. */
export function noneFaulty({ name: kind }: Kind, owner: string): string {
  return `NOT EXISTS (SELECT FROM import_faulty b WHERE b.kind = '${kind}' AND lower(b.owner) = ${owner})`;
}

/** Returns SQL for the owners that lines name and that do not exist, including those of lines with other errors. */
export function unknownOwners(kind: Kind): string[] {
  const [column] = kind.parent?.columns ?? [];
  if (column?.known === undefined || column.field === undefined) return [];
  const { table, kind: owner } = column.known;
  return [
    `SELECT s.file, s.line, s.path, '${column.field.name}' AS field, ${violation('OWNER_UNKNOWN', { value: 's.owner', label: `'${owner.label}'` })}
    FROM (
      SELECT s.file, s.line, s.path, s.${column.name} AS owner FROM ${stageOf(kind)} s WHERE ${inCsv}
      UNION ALL SELECT file, line, '', owner FROM import_mentions WHERE kind = '${kind.name}'
    ) s
    WHERE lower(s.owner) NOT IN (SELECT ticker FROM ${table}) AND ${notFaulty(owner, `''`, 's.owner')}`,
  ];
}
