import type { Idempotency } from './context.js';
import { ApiError } from './errors.js';

/** Returns the error for a caller whose change may or may not have been made. @param who the component to which the connection was lost, such as `the database` */
export function outcomeUnknown(who: string, idempotency: Idempotency | undefined, cause: unknown): ApiError {
  const nextStep =
    idempotency === undefined
      ? 'Read the resource (GET) before you send the request again'
      : 'Send the same request again, with the same X-Idempotency-Key or signature: if the change was made you get its result, otherwise it is made now';
  const message = `The connection to ${who} was lost before the change was confirmed: whether it was made is unknown. ${nextStep}`;
  return new ApiError('UNAVAILABLE', { message, cause });
}
