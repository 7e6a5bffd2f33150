import type { Context } from '../../../shared/context.js';

/** The topic on which the engine listens for due transfers. */
export const transfersDueTopic = 'trading.transfers.due';

/** Wakes every instance that processes transfers. One that misses the message looks for due transfers soon anyway. */
export function wakeTransfers({ bus }: Pick<Context, 'bus'>): void {
  void bus.publish(transfersDueTopic, null);
}
