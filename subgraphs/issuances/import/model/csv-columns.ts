import type { Field, Kind } from './kind.js';
import { required } from './kind.js';
import { csvKinds } from './kinds.js';
import { text } from './text-values.js';

const name = text({ maxLength: 200 });

const operationTicker = required('operationTicker', name, 'Ticker of the operation.', 'CRI-AURORA-1');

/** The columns by which a line says what it belongs to. */
export function parentColumns({ parent }: Kind): readonly Field[] {
  if (parent === 'series') return [required('trancheTicker', name, 'Ticker of the series.', 'AURORA1S1')];
  if (parent === 'contract') {
    return [operationTicker, required('contractExternalId', name, 'externalId of the contract.', 'CCB-2025-000123')];
  }
  return [operationTicker];
}

/** Every column of a kind's CSV files. Their order in a file does not matter, and optional ones may be missing. */
export function columnsOf(kind: Kind): readonly Field[] {
  return [...parentColumns(kind), ...kind.fields];
}

/** What `lastro import --csv-columns` prints. */
export function describeCsvColumns(): string {
  const parts = csvKinds.map((kind) => {
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
