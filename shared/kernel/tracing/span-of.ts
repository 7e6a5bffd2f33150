import { codeOf } from '../thrown.js';
import type { Span } from './span.js';

/** Runs `work` and ends its span with the outcome. */
export async function spanOf<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(errorType(error));
    throw error;
  }
}

/** Returns the name of an error for a span: its code or class, and never its message, which may repeat values. */
export function errorType(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : 'Error');
}
