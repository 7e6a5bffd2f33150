import { ApiError, errorAt } from '../../../shared/kernel/errors.js';

/** Returns the error of a link in mail that does not work (any more). */
export function uselessLink(): ApiError {
  return new ApiError('UNPROCESSABLE', {
    message: 'The link is not valid: it is unknown, was used or has expired. Request a new one',
    details: [errorAt('token', 'LINK_USELESS')],
  });
}
