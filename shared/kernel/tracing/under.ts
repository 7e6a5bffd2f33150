import type { Context } from '../context.js';
import type { Span } from './span.js';

/** Returns a context whose work, with its statements, is recorded below a span. */
export function under(context: Context, span: Span): Context {
  return { ...context, span, manager: context.manager.under(span) };
}
