import { setTimeout } from 'node:timers/promises';
import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import type { Lane } from './claim.store.js';
import { settle } from './settle.js';
import type { Ended } from './settle.store.js';

/** How long results are gathered for a batch: each batch costs a statement, and a claim of what may follow. */
const gatherMs = 10;

/** Results of attempts that are not in the database yet. */
export interface UnwrittenResults {
  add(lane: Lane, ended: Ended): void;
  /** Writes all results in one batch; on failure they are kept for the next call. */
  readonly write: () => Promise<void>;
}

export interface WrittenResult {
  readonly lane: Lane;
  readonly ended: Ended;
}

/** @param onWritten claims what may follow; the next batch waits for it */
export function createUnwrittenResults(
  context: Context,
  onWritten: (batch: readonly WrittenResult[]) => Promise<void>,
): UnwrittenResults {
  let waiting: WrittenResult[] = [];
  const write = coalesced(async () => {
    if (waiting.length === 0) return;
    await setTimeout(gatherMs);
    const batch = waiting;
    waiting = [];
    const results = batch.map(({ ended }) => ended);
    try {
      await settle(context, results);
    } catch (error) {
      waiting.unshift(...batch);
      logFailed(context.log, error, 'Outcomes of deliveries could not be saved; this will be retried');
      return;
    }
    // Results that arrive meanwhile are the next batch.
    await onWritten(batch);
  });
  return {
    add: (lane, ended) => waiting.push({ lane, ended }),
    write,
  };
}
