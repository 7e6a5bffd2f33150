import { refuse } from '../../../shared/errors.js';

const maxLength = 500;

/**
 * Refuses a reason that says nothing, or too much.
 * @throws {Fault} BAD_REQUEST
 */
export function checkReason(reason: string): void {
  if (reason.trim() !== '' && reason.length <= maxLength && !reason.includes('\0')) return;
  refuse('BAD_REQUEST', [{ path: 'reason', message: `must have 1 to ${maxLength} characters` }]);
}
