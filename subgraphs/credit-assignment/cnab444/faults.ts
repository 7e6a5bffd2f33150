import type { FaultDetail } from '../../../shared/errors.js';

/** One thing that is wrong with a file. Columns are those of the line, from 1; without them it is the line as a whole. */
export interface CnabFault {
  readonly line: number;
  readonly columns?: Columns;
  /** Completes a sentence that begins with the place. */
  readonly message: string;
}

interface Columns {
  readonly from: number;
  readonly to: number;
}

/** Faults that are told; those behind them are counted. */
export const maxFaultsTold = 100;

/** Collects faults in bounded memory, in the order in which they are found. */
export class CnabFaults {
  count = 0;
  readonly first: CnabFault[] = [];

  add(line: number, columns: Columns | undefined, message: string): void {
    this.count += 1;
    if (this.first.length < maxFaultsTold) this.first.push({ line, ...(columns && { columns }), message });
  }
}

/** Where something stands in a file, as callers read it: `line 17, columns 38-62`. */
export function placeOf(line: number, columns?: Columns): string {
  if (columns === undefined) return `line ${line}`;
  const { from, to } = columns;
  return from === to ? `line ${line}, column ${from}` : `line ${line}, columns ${from}-${to}`;
}

/** Faults in the form in which every caller hears of them. */
export function toDetails(faults: readonly CnabFault[]): FaultDetail[] {
  return faults.map(({ line, columns, message }) => ({ path: placeOf(line, columns), message }));
}
