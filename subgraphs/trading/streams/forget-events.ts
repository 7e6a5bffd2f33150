import type { Context } from '../../../shared/context.js';
import type { Job } from '../../../shared/scheduler.js';
import { deleteEventsBefore } from './event.store.js';

/** How long events can be replayed. */
const keptMs = 24 * 3_600_000;
const batch = 5_000;

/** Deletes events older than 24 hours, in batches, so that no lock is held long. */
export async function forgetEvents(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  while (stopping?.aborted !== true) {
    if ((await deleteEventsBefore(context, before, batch)) < batch) return;
  }
}

export const forgetEventsJob: Job = { name: 'trading.stream-retention', cron: '*/5 * * * *', run: forgetEvents };
