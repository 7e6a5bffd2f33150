import type { Idempotency } from './context.js';
import { ApiError } from './errors.js';

/**
 * Returns the error for a caller whose change may or may not have been made.
 * @param who the component that was lost before it confirmed, such as `The database`
 */
export function outcomeUnknown(who: string, idempotency: Idempotency | undefined, cause: unknown): ApiError {
  const nextStep =
    idempotency === undefined
      ? 'Read what it was about (GET) before you send it again'
      : 'Send the same request again, with the same X-Idempotency-Key or signature: if the change was made you get its result, if not it is made then';
  const message = `${who} was lost before it confirmed the change: whether it was made is unknown. ${nextStep}`;
  return new ApiError('UNAVAILABLE', { message, cause });
}
