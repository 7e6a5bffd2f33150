import type { Field, Kind } from './kind.js';

export function parentColumns({ parent }: Kind): readonly Field[] {
  return (parent?.columns ?? []).flatMap(({ field }) => field ?? []);
}

/** Returns every column of a kind's CSV files. They may be in any order in a file, and optional ones may be missing. */
export function columnsOf(kind: Kind): readonly Field[] {
  return [...parentColumns(kind), ...kind.fields];
}

/** Returns the output of `lastro import --csv-columns`. */
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
