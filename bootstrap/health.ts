import type { Health } from '../apps/site/status.js';
import { shared } from '../shared/memo.js';
import type { Infrastructure } from './infrastructure.js';

/** An event that waits for longer to be passed on is late, as in the alert LastroEventsLate. */
const lateSeconds = 60;

/** How long a result is used: two of the numbers are read from the database. */
const keptMs = 5_000;

/** Returns the function that tells the state of the service by the metrics that the alerts use. A number that cannot be read tells that the database is away. */
export function createHealth({ registry }: Pick<Infrastructure, 'registry'>): () => Promise<Health> {
  const read = shared<Health>({ keptMs });
  const valueOf = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return () =>
    read('', async () => {
      const [writable, redis, lag] = await Promise.all(
        ['database_writable', 'redis_connected', 'outbox_lag_seconds'].map(valueOf),
      );
      return {
        writes: writable === 1,
        shares: redis !== 0,
        lateMinutes: lag && (lag > lateSeconds ? Math.ceil(lag / 60) : 0),
      };
    });
}
