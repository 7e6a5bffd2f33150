import { ApiError } from '../../../shared/errors.js';
import { placeOf } from './errors.js';
import { detailFields, type Detail } from './layout.js';

/** Maps a member of an item of a request body to its field in the file: `debtorDocument` of the 17th contract. */
export type FieldOf = (index: number, member: string) => keyof Detail | undefined;

const item = /(?:contracts|settlements)\[(\d+)\](?:\.(\w+))?/g;

/**
 * Runs an operation on the content of a file. Its errors name the place in the file instead of the place in a request body:
 * `line 19, columns 221-234` for `contracts[17].debtorDocument`.
 * @throws {ApiError} those of the operation
 */
export async function byLine<T>(fieldOf: FieldOf, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.extensions.details === undefined) throw error;
    const inFile = (text: string) =>
      text.replace(item, (_, index: string, member?: string) =>
        placeOf(lineOf(Number(index)), member === undefined ? undefined : columnsOf(fieldOf(Number(index), member))),
      );
    const details = error.extensions.details.map(({ path, message }) => ({
      path: inFile(path),
      message: inFile(message),
    }));
    throw new ApiError(error.code, { message: error.message, details });
  }
}

/** Returns the line of a detail, counted from 0: the header comes before it. */
export function lineOf(index: number): number {
  return index + 2;
}

/** Returns the columns of a field of a detail. */
export function columnsOf(name: keyof Detail | undefined): { from: number; to: number } | undefined {
  const field = detailFields.find((each) => each.name === name);
  return field && { from: field.from, to: field.to };
}
