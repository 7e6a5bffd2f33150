import type { Context } from '../../../shared/context.js';

/** Where the engine listens for transfers that have something to be done. */
export const transfersDueTopic = 'trading.transfers.due';

/** Tells every instance that moves transfers to look for what is due. One that does not hear it looks again soon anyway. */
export function wakeTransfers({ bus }: Pick<Context, 'bus'>): void {
  void bus.publish(transfersDueTopic, null);
}
