import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import { eachInTurns } from '../../../shared/turns.js';

/** Maximum number of lines in one batch. */
export const maxLines = 50_000;

/** An error of a field of a line; the message completes a sentence that begins with the path of the field. */
export type LineError<Line> = readonly [field: keyof Line & string, message: string];

/**
 * Returns the errors of each line, by path; yields to the event loop, since there may be 50,000 lines.
 * @param list the name of the lines in the caller's input
 */
export async function lineErrors<Line>(
  list: string,
  lines: readonly Line[],
  errorsOf: (line: Line) => readonly LineError<Line>[],
): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  await eachInTurns(lines, (line, index) => {
    for (const [field, message] of errorsOf(line)) details.push({ path: `${list}[${index}].${field}`, message });
  });
  return details;
}

/**
 * Rejects lines that do not have the documented form, or are too many, with all their errors.
 * @param others errors in the rest of the input
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireLineForm<Line>(
  list: string,
  lines: readonly Line[],
  errorsOf: (line: Line) => readonly LineError<Line>[],
  others: readonly ErrorDetail[],
): Promise<void> {
  const fits = lines.length >= 1 && lines.length <= maxLines;
  const size = fits ? [] : [{ path: list, message: `must have from 1 to ${maxLines} items` }];
  const wrong = lines.length > maxLines ? [] : await lineErrors(list, lines, errorsOf);
  refuse('BAD_REQUEST', [...others, ...size, ...wrong]);
}
