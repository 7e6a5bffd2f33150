import { coalesced } from '../../../shared/coalesced.js';
import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import type { Lane } from './claim.store.js';
import { settle } from './settle.js';
import type { Ended } from './settle.store.js';

/** Results of attempts that are not in the database yet. */
export interface UnwrittenResults {
  add(lane: Lane, ended: Ended): void;
  /** Writes all results in one batch; on failure they are kept for the next call. */
  readonly write: () => Promise<void>;
}

export function createUnwrittenResults(
  context: Context,
  onWritten: (lane: Lane, ended: Ended) => void,
): UnwrittenResults {
  let waiting: { readonly lane: Lane; readonly ended: Ended }[] = [];
  const write = coalesced(async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const results = batch.map(({ ended }) => ended);
    try {
      await settle(context, results);
    } catch (error) {
      waiting.unshift(...batch);
      logFailed(context.log, error, 'Outcomes of deliveries could not be saved; this will be retried');
      return;
    }
    for (const { lane, ended } of batch) onWritten(lane, ended);
  });
  return {
    add: (lane, ended) => waiting.push({ lane, ended }),
    write,
  };
}
