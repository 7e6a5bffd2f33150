import { violation } from '../import-rules.js';
import type { Kind } from '../model/kind.js';
import { keyOf, stageOf } from '../write/sql.js';

/** Returns SQL for the records that the input contains more than once; the later ones are the errors. */
export function duplicates(kind: Kind): string {
  const field = kind.unique ? (kind.key.at(-1) ?? '') : (kind.key[0] ?? '');
  return repeated(kind, keyOf(kind), field, (place) => violation('REPEATS', { label: `'${kind.label}'`, place }));
}

/**
 * Returns SQL for staged records that share a key with an earlier one.
 * @param found returns the columns of the violation, from SQL of the location of the earlier one
 */
export function repeated(kind: Kind, key: readonly string[], field: string, found: (place: string) => string): string {
  return `
    SELECT d.file, d.line, d.path, '${field}' AS field, ${found(`f.name || ':' || d.first_line`)}
    FROM (
      SELECT s.file, s.line, s.path, row_number() OVER records AS nth,
        first_value(s.file) OVER records AS first_file, first_value(s.line) OVER records AS first_line
      FROM ${stageOf(kind)} s
      WINDOW records AS (PARTITION BY ${key.join(', ')} ORDER BY s.file, s.line, s.ctid)
    ) d JOIN import_files f ON f.file = d.first_file
    WHERE d.nth > 1`;
}
