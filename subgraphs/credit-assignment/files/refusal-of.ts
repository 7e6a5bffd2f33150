import { ApiError } from '../../../shared/errors.js';

/** Returns the error with which an act refuses its input; undefined when it does not. Errors that are not the caller's are thrown. */
export async function refusalOf(act: () => Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  }
}
