import type { Idempotency } from './context.js';
import { ApiError } from './errors.js';

/**
 * What a caller hears whose change may have been made or not.
 * @param who what was lost before it said so, as `The database`
 */
export function outcomeUnknown(who: string, idempotency: Idempotency | undefined, cause: unknown): ApiError {
  const nextStep =
    idempotency === undefined
      ? 'Read what it was about (GET) before you send it again'
      : 'Send the same request again, with the same X-Idempotency-Key or signature: if the change was made you get its result, if not it is made then';
  const message = `${who} was lost before it confirmed the change: whether it was made is unknown. ${nextStep}`;
  return new ApiError('UNAVAILABLE', { message, cause });
}
