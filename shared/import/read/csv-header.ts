import { broken, type BrokenImportRule } from '../import-rules.js';
import { columnsOf } from '../model/csv-columns.js';
import type { Field, Kind } from '../model/kind.js';

/** The header of a file. */
export interface CsvHeader {
  readonly kind: Kind;
  /** Columns in the order of the file. */
  readonly columns: readonly Field[];
}

export interface HeaderError {
  readonly field: string;
  readonly error: BrokenImportRule;
}

/** Identifies a file by its header: the kind that shares the most columns with it, provided that all its required ones are present. */
export function readHeader(names: readonly string[], kinds: readonly Kind[]): CsvHeader | readonly HeaderError[] {
  const kind = closestKind(names, kinds);
  if (kind === undefined) {
    const known = kinds.map((one) => one.name).join(', ');
    return [{ field: '', error: broken('CSV_HEADER', { known }) }];
  }
  const known = columnsOf(kind);
  const columns = names.map((name) => known.find((column) => isNamed(column, name)));
  const errors = names.flatMap((name, at): HeaderError[] => {
    const column = columns[at];
    if (column === undefined) return [{ field: name, error: broken('CSV_COLUMN', { kind: kind.name }) }];
    return columns.indexOf(column) === at ? [] : [{ field: name, error: broken('CSV_COLUMN_TWICE') }];
  });
  const missing = known.filter((column) => column.required && !columns.includes(column));
  const all = [
    ...errors,
    ...missing.map(({ name }) => ({ field: name, error: broken('CSV_COLUMN_MISSING', { kind: kind.name }) })),
  ];
  return all.length > 0 ? all : { kind, columns: columns.filter((column) => column !== undefined) };
}

/** Returns the kind with the most columns in common, then with the fewest missing; at least half of the header must be known. */
function closestKind(names: readonly string[], kinds: readonly Kind[]): Kind | undefined {
  const scored = kinds.map((kind) => {
    const columns = columnsOf(kind);
    const shared = columns.filter((column) => names.some((name) => isNamed(column, name)));
    const missing = columns.filter((column) => column.required && !shared.includes(column));
    return { kind, shared: shared.length, missing: missing.length };
  });
  const [best] = scored.sort((one, other) => other.shared - one.shared || one.missing - other.missing);
  return best !== undefined && best.shared >= 2 && best.shared * 2 >= names.length ? best.kind : undefined;
}

function isNamed(column: Field, name: string): boolean {
  return column.name.toLowerCase() === name.toLowerCase();
}
