import type { Context } from '../../../shared/context.js';

/** Where the processing listens for batches that were handed in. */
export const dueTopic = 'credit-assignment.due';

/** Tells every instance that processes batches to look for what is due. One that does not hear it looks again soon anyway. */
export function wakeProcessing({ bus }: Context): void {
  void bus.publish(dueTopic, null);
}
