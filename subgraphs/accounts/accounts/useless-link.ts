import { Fault } from '../../../shared/errors.js';

/** What a link in mail answers that does not work (any more). */
export function uselessLink(): Fault {
  return new Fault('UNPROCESSABLE', {
    message: 'The link does not work: it is unknown, was used or has expired. Ask for a new one',
    details: [{ path: 'token', message: 'is unknown, was used or has expired' }],
  });
}
