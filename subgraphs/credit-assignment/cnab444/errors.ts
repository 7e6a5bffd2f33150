import { maxDetails as maxTold, refuse, type ErrorDetail } from '../../../shared/errors.js';

/** An error in a file. Columns are those of the line, from 1; without them the error concerns the whole line. */
export interface CnabError {
  readonly line: number;
  readonly columns?: Columns;
  /** Completes a sentence that begins with the place in the file. */
  readonly message: string;
}

interface Columns {
  readonly from: number;
  readonly to: number;
}

/** Collects errors in bounded memory, in the order in which they are found: the first ones, and the count of all. */
export class CnabErrors {
  count = 0;
  readonly first: CnabError[] = [];

  add(line: number, columns: Columns | undefined, message: string): void {
    this.count += 1;
    if (this.first.length < maxTold) this.first.push({ line, ...(columns && { columns }), message });
  }
}

/** Formats a place in a file as callers read it: `line 17, columns 38-62`. */
export function placeOf(line: number, columns?: Columns): string {
  if (columns === undefined) return `line ${line}`;
  const { from, to } = columns;
  return from === to ? `line ${line}, column ${from}` : `line ${line}, columns ${from}-${to}`;
}

/**
 * Rejects a file that has errors.
 * @throws {ApiError} BAD_REQUEST
 */
export function refuseFile({ first, count }: CnabErrors): never {
  refuse('BAD_REQUEST', toDetails(first), count);
  throw new RangeError('Cannot reject a file that has no errors');
}

/** Converts errors to the form that every caller receives. */
export function toDetails(errors: readonly CnabError[]): ErrorDetail[] {
  return errors.map(({ line, columns, message }) => ({ path: placeOf(line, columns), message }));
}
