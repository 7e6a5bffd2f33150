import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit } from '../../../shared/database/transaction.js';

/** The topic of the bus that wakes the engines of orders and hedges. One that misses a message looks within a second. */
export const ordersDueTopic = 'trading.orders.due';

export function wakeEngines(context: Context): void {
  afterCommit(context, () => void context.bus.publish(ordersDueTopic, null));
}

/** How long an engine pauses after a step, and how long where nothing is to be done. */
export const stepMs = 250;
export const idleMs = 1_000;
