import { maskDocumentsIn } from './audit/auditable.js';
import { refuse, type ErrorDetail } from './errors.js';
import { hasMoreCharacters } from './format/text-length.js';

/** The longest reason of an operator, in characters. */
export const maxReasonLength = 500;

/**
 * Returns an operator's reason for an act, trimmed.
 * @throws {ApiError} BAD_REQUEST with `details` if it is empty, has more than 500 characters, or contains a line break or another control character
 */
export function requireReason(reason: string): string {
  refuse('BAD_REQUEST', reasonIssues(reason));
  return reason.trim();
}

/** Returns everything that is wrong with the reason of an act. */
export function reasonIssues(reason: string): ErrorDetail[] {
  const text = reason.trim();
  const isLong = hasMoreCharacters(text, maxReasonLength);
  const issues: string[] = [];
  if (text === '' || isLong) issues.push(`must have 1 to ${maxReasonLength} characters`);
  // Masking makes a tax id without separators longer, and the masked text is what is stored.
  else if (hasMoreCharacters(maskDocumentsIn(text), maxReasonLength))
    issues.push(`must have at most ${maxReasonLength} characters as it is published, with its tax ids masked`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) issues.push('must be one line, without control characters');
  return issues.map((message) => ({ path: 'reason', message }));
}
