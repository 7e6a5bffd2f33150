import type { Context } from '../../../shared/kernel/context.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { deleteEventsBefore } from './event.store.js';

/** How long events can be replayed. */
const keptMs = 24 * 3_600_000;
const batch = 5_000;

/** Deletes events older than 24 hours, in batches, so that no lock is held long. */
export async function forgetEvents(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  await untilFew(batch, () => deleteEventsBefore(context, before, batch), stopping);
}

export const forgetEventsJob: Job = { name: 'trading.stream-retention', cron: '*/5 * * * *', run: forgetEvents };
