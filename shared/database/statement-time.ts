import type { Context } from '../kernel/context.js';

/** SQL of the time of a statement whose first parameter is `statementTime(context)`. */
export const sqlNow = 'coalesce($1::timestamptz, statement_timestamp())';

/** The first parameter of `sqlNow`: null where the clock follows the database's, which then gives the time to the microsecond; else a test's time. */
export function statementTime({ clock }: Pick<Context, 'clock'>): Date | null {
  return clock.followsDatabase === true ? null : clock.now();
}
