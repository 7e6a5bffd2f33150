import type { ApiError } from '../../../shared/kernel/errors.js';
import type { Rejection } from '../batches/batch-kind.js';
import type { FileErrors } from './file-errors.js';
import type { FileFormat } from './file-format.js';

/** The errors of one file that are kept: enough to give the file back with them. */
export const maxFileErrors = 10_000;

/** What would become of a file if it were sent now. */
export interface FileCheck {
  readonly format: FileFormat;
  readonly text: string;
  /** Number of contracts or payments that could be read. */
  readonly lineCount: number;
  /** Their total face value, or what was received with its surplus and without abatements, as far as the amounts have the right form; in BRL, two decimals. */
  readonly total: string;
  /** Of payments, what is no receipt; null for contracts. */
  readonly totalAbated: string | null;
  /** What sending the file would be refused with; undefined when it would create a batch. */
  readonly refusal: ApiError | undefined;
  /** Why processing the batch would reject it; null when it would not, undefined when sending is refused already. */
  readonly rejection: Pick<Rejection, 'reason' | 'rules'> | null | undefined;
  /** Everything that is wrong, in the order of the lines. */
  readonly errors: FileErrors;
}
