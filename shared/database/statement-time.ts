import type { Context } from '../kernel/context.js';

/** SQL of the time of a statement whose first parameter is `statementTime(context)`. */
export const sqlNow = 'coalesce($1::timestamptz, statement_timestamp())';

/**
 * Returns the first parameter of a statement that uses `sqlNow`. Where the clock follows the database's it is null, and the statement takes the time
 * from the database itself: leases then agree to the microsecond, however wrong the clock of a process is. A clock that a test sets gives its own time.
 */
export function statementTime({ clock }: Pick<Context, 'clock'>): Date | null {
  return clock.followsDatabase === true ? null : clock.now();
}
