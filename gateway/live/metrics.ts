import { Counter, Gauge } from 'prom-client';
import { asyncIterator } from '../../shared/kernel/async-iterator.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import { placedAs } from '../../shared/kernel/stream-place.js';

/** Subscriptions of clients: far more than there are runs if many clients read the same. */
export const subscriptionReaders = new Gauge({
  name: 'subscription_readers',
  help: 'Subscriptions that clients of this process hold, by interface.',
  labelNames: ['interface'],
  registers: [],
});

export const subscriptionRuns = new Gauge({
  name: 'subscription_runs',
  help: 'Subscriptions that run in this process: in a gateway for its readers, of whom equal ones share one, and in a subgraph for gateways.',
  registers: [],
});

const bounds = ['process', 'network', 'owner'] as const;
export type SubscriptionBound = (typeof bounds)[number];

export const subscriptionsRefused = new Counter({
  name: 'subscriptions_refused_total',
  help: 'Subscriptions that were refused, by the limit that they exceeded: the one of the process, of their network or of the owner of their credential.',
  labelNames: ['bound'],
  registers: [],
});
// A counter that appears with its first value has no increase that Prometheus could see.
for (const bound of bounds) subscriptionsRefused.inc({ bound }, 0);

/** Counts a reader. Returns an idempotent function that uncounts it. */
export function countReader(via: 'graphql' | 'socket'): () => void {
  subscriptionReaders.inc({ interface: via });
  return once(() => subscriptionReaders.dec({ interface: via }));
}

export function countedRun(stream: GraphResultStream): GraphResultStream {
  subscriptionRuns.inc();
  return untilEnd(
    stream,
    once(() => subscriptionRuns.dec()),
  );
}

/** Calls `onEnd` when a stream has ended, by itself or by its reader. */
export function untilEnd(stream: GraphResultStream, onEnd: () => void): GraphResultStream {
  const next = async () => {
    try {
      const result = await stream.next();
      if (result.done === true) onEnd();
      return result;
    } catch (error) {
      onEnd();
      throw error;
    }
  };
  const end = () => {
    onEnd();
    return stream.return?.();
  };
  return placedAs(stream, asyncIterator<GraphResult>(next, end));
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
