import { refuse } from '../../../shared/errors.js';

/**
 * The words of an operator on what a finding was.
 * @throws {Fault} BAD_REQUEST where there are none
 */
export function requireWords(resolution: string): string {
  const words = resolution.trim();
  refuse('BAD_REQUEST', words === '' ? [{ path: 'resolution', message: 'must say what it was' }] : []);
  return words;
}
