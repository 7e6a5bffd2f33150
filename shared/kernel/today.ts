import { civilDate } from './clock.js';
import type { Context } from './context.js';

/** Returns the current civil day in São Paulo. */
export function today({ clock }: Context): string {
  return civilDate(clock.now());
}
