import { maskDocumentsIn } from './tax-id.js';
import { refuse, type ErrorDetail, errorAt } from './errors.js';
import { hasMoreCharacters } from './echo.js';

/** The longest reason of an operator, in characters. */
export const maxReasonLength = 500;

/** Returns the reason, trimmed. @throws {ApiError} BAD_REQUEST if it is empty, longer than 500 characters, or has a control character or line break */
export function requireReason(reason: string): string {
  refuse('BAD_REQUEST', reasonIssues(reason));
  return reason.trim();
}

export function reasonIssues(reason: string): ErrorDetail[] {
  const text = reason.trim();
  const isLong = hasMoreCharacters(text, maxReasonLength);
  const issues: ErrorDetail[] = [];
  // A text of only invisible characters gives no reason.
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text) || isLong)
    issues.push(errorAt('reason', 'TEXT_LENGTH', { min: 1, max: maxReasonLength }));
  // Masking makes a tax id without separators longer, and the masked text is what is stored.
  else if (hasMoreCharacters(maskDocumentsIn(text), maxReasonLength))
    issues.push(errorAt('reason', 'PUBLISHED_TOO_LONG', { max: maxReasonLength }));
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) issues.push(errorAt('reason', 'ONE_LINE'));
  return issues;
}
