import { refuse, type FaultDetail } from '../../shared/errors.js';
import { hasMoreCharacters } from '../../shared/format/text-length.js';

/** The longest reason of an operator, in characters. */
export const maxReason = 500;

/** What is wrong with a reason: it says nothing, or too much. */
export function reasonIssues(reason: string): FaultDetail[] {
  if (reason.trim() !== '' && !hasMoreCharacters(reason, maxReason) && !reason.includes('\0')) return [];
  return [{ path: 'reason', message: `must have 1 to ${maxReason} characters` }];
}

/**
 * Refuses a reason that says nothing, or too much.
 * @throws {Fault} BAD_REQUEST
 */
export function checkReason(reason: string): void {
  refuse('BAD_REQUEST', reasonIssues(reason));
}
