import { refuse } from '../errors.js';

const maxLength = 500;

/**
 * The reason of a correction, without the spaces around it.
 * @throws {Fault} BAD_REQUEST where it says nothing, is longer than 500 characters or holds control characters
 */
export function requireReason(reason: string): string {
  const text = reason.trim();
  const isRight = text.length > 0 && text.length <= maxLength && !/\p{Cc}|\p{Cs}/u.test(text);
  refuse(
    'BAD_REQUEST',
    isRight ? [] : [{ path: 'reason', message: `must have 1 to ${maxLength} characters, on one line` }],
  );
  return text;
}
