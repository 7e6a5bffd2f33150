import type { DatabaseGauge } from '../../kernel/metrics.js';
import { oldestFailingSeconds } from './watched-queue.store.js';
import type { WatchedQueue } from './watched-queue.js';

/**
 * Returns the gauge `<name>_failing_seconds`: it grows while an item fails at each attempt. One that succeeds, is given up or is held back counts no more.
 * @param since SQL of the time from which an item counts
 */
export function failingWork(queue: WatchedQueue, name: string, since: string): DatabaseGauge {
  return {
    name: `${name}_failing_seconds`,
    help: `Age of the oldest item of the queue ${queue.name} that an attempt failed on and that is tried again; 0 if there is none.`,
    read: (context) => oldestFailingSeconds(context, queue, since),
  };
}
