import type { Context } from '../../../shared/kernel/context.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { addUpTallies } from './delivery.store.js';

const batch = 10_000;

/** Adds all changes to the numbers of deliveries. A reader adds up both, so that it gets the same number before and after. */
export function addUpAllTallies(context: Context): Promise<number> {
  return untilFew(batch, () => addUpTallies(context, batch));
}
