import type { Context } from '../../../shared/context.js';
import { untilFew } from '../../../shared/until-few.js';
import { addUpTallies } from './delivery.store.js';

const batch = 10_000;

/** Adds up what has changed in the numbers of deliveries. Numbers are right before and after. */
export function addUpAllTallies(context: Context): Promise<number> {
  return untilFew(batch, () => addUpTallies(context, batch));
}
