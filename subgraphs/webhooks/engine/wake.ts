import type { Context } from '../../../shared/context.js';

/** The topic on which engines listen for due work. */
export const dueTopic = 'webhooks.due';

/** Notifies the engines of all instances that deliveries are due. An engine that misses it looks within a second anyway. */
export function wakeEngines({ bus }: Context): void {
  void bus.publish(dueTopic, null);
}
