import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../kernel/context.js';
import { isLockTimeout } from '../migrate.js';

/** How often a table in use is asked for; whoever wants to use it waits behind each attempt, for half a second at most. */
const attempts = 5;
const pauseMs = 1_000;

/**
 * Drops partitions one at a time until none is left that may be dropped. Gives way to those who use the table: what it does not get is left to the next
 * run.
 * @param dropOne drops one and returns its name; null when there is none
 * @returns how many were dropped
 */
export async function dropPast(context: Context, dropOne: () => Promise<string | null | undefined>): Promise<number> {
  let dropped = 0;
  for (let attempt = 1; ;) {
    try {
      const partition = await dropOne();
      if (partition == null) return dropped;
      context.log.info({ partition }, 'A partition past its retention was dropped');
      dropped += 1;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) {
        context.log.info('A table was in use, so that a partition was not dropped; the next run drops it');
        return dropped;
      }
      attempt += 1;
      await sleep(pauseMs);
    }
  }
}
