import type { Context } from '../../../shared/kernel/context.js';
import { dropPast } from '../../../shared/database/partitions/drop-past.js';
import { deleteRequests, dropRequestPartition } from './request-log.store.js';

const dayMs = 86_400_000;
/** For so long requests that nobody sees any more wait for their partition, a week, to be dropped as a whole; a day more, so that it is. */
const partitionDays = 8;

/** Deletes the requests that are older than so many days, by dropping partitions, and row by row what is in none that could be dropped. With 0, all go at once. */
export async function forgetRequests(context: Context, days: number): Promise<void> {
  const ago = (count: number) => new Date(context.clock.now().getTime() - count * dayMs);
  await dropPast(context, () => dropRequestPartition(context, ago(days)));
  await deleteRequests(context, ago(days === 0 ? 0 : days + partitionDays));
}
