import type { Context } from '../../../shared/kernel/context.js';

/** The topic on which the engine listens for submitted batches. */
export const dueTopic = 'credit-assignment.due';

/** Wakes every instance that processes batches. One that misses the message looks for due batches soon anyway. */
export function wakeProcessing({ bus }: Context): void {
  void bus.publish(dueTopic, null);
}
