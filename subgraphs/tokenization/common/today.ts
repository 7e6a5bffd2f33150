import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';

/** Returns the current civil day in São Paulo. */
export function today({ clock }: Context): string {
  return civilDate(clock.now());
}
