import type { Field, Kind } from './kind.js';

/** The columns by which a line says what it belongs to. */
export function parentColumns({ parent }: Kind): readonly Field[] {
  return (parent?.columns ?? []).flatMap(({ field }) => field ?? []);
}

/** Every column of a kind's CSV files. Their order in a file does not matter, and optional ones may be missing. */
export function columnsOf(kind: Kind): readonly Field[] {
  return [...parentColumns(kind), ...kind.fields];
}

/** What `lastro import --csv-columns` prints. */
export function describeCsvColumns(kinds: readonly Kind[]): string {
  const parts = kinds.map((kind) => {
    const columns = columnsOf(kind);
    const width = Math.max(...columns.map((column) => column.name.length));
    const rows = columns.map(
      (column) =>
        `  ${column.required ? '*' : ' '} ${column.name.padEnd(width)}  ${column.type.hint}\n${' '.repeat(width + 6)}${column.description}`,
    );
    return [`${kind.name}: ${columns.map((column) => column.name).join(';')}`, ...rows].join('\n');
  });
  return ['Columns of CSV files; * is required. A file is recognised by its header.', ...parts].join('\n\n');
}
