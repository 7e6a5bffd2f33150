import { once } from 'node:events';
import { isRecord } from '../shared/kernel/is-record.js';

/** Formats a result for a person: an object as a line per field, a list as a table, and a list whose items have lists as a block per item. */
export function formatResult(value: unknown): string {
  if (value === null || value === undefined) return 'There is none.';
  if (Array.isArray(value)) return formatList(value);
  return isRecord(value) ? align([...flatten(value)]) : toText(value);
}

function formatList(items: readonly unknown[]): string {
  if (items.length === 0) return 'There are none.';
  const rows = items.map((item) => (isRecord(item) ? flatten(item) : new Map([['', toText(item)]])));
  if (items.some(hasObjects)) return items.map((item) => formatResult(item)).join('\n\n');
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = rows.map((row) => columns.map((column) => row.get(column) ?? ''));
  const isTable = columns.length > 1;
  return align(isTable ? [columns, ...lines] : lines);
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const hasObjects = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).some((one) => (Array.isArray(one) ? one.some(isRecord) : hasObjects(one)));

/** Returns the values in an object by their paths; what is null is left out. */
function flatten(value: Readonly<Record<string, unknown>>, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([name, one]): [string, string][] => {
      if (one === null || one === undefined) return [];
      if (Array.isArray(one) && one.some(isRecord))
        return one.flatMap((item, index) => [...flatten(isRecord(item) ? item : {}, `${prefix}${name}[${index}].`)]);
      if (isRecord(one)) return [...flatten(one, `${prefix}${name}.`)];
      return [[`${prefix}${name}`, Array.isArray(one) ? one.map(toText).join(', ') : toText(one)]];
    }),
  );
}

/** Returns a value as one line. Control characters are escaped: callers wrote some of these texts. */
function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints text, no faster than the reader takes it. */
export async function printed(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
