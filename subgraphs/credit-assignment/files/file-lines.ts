import type { NewContract } from '../credit-batches/check-contracts.js';
import type { NewSettlement } from '../settlement-batches/check-settlements.js';
import type { FileErrors, FilePlace } from './file-errors.js';

/** A contract as a file has it. */
export type FileContract = NewContract & { readonly line: number };

/** A payment as a file has it: for a contract under its originator's name for it. */
export type FilePayment = Omit<NewSettlement, 'contractId'> & { readonly line: number; readonly externalId: string };

/** What was read of a file. */
export interface FileLines<Line> {
  /** The rules of the format that the file breaks. */
  readonly errors: FileErrors;
  /** The lines that could be read, in their order. */
  readonly lines: readonly Line[];
  /** Returns where a field of one of them, or the whole line, is in the file; fields have the names that a batch gives them. */
  placeAt(index: number, field?: string): FilePlace;
}
