import type { Context } from '../../../shared/context.js';

/** Where engines listen for work that is due now. */
export const dueTopic = 'webhooks.due';

/** Tells every engine that deliveries are due, wherever it runs. One that does not hear it looks within a second anyway. */
export function wakeEngines({ bus }: Context): void {
  void bus.publish(dueTopic, null);
}
