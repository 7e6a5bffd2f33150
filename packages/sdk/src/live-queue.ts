import type { LiveUpdate } from './live-types.js';

/** Updates between the socket and its reader. Of prices only the latest is kept. */
export interface LiveQueue extends AsyncIterable<LiveUpdate> {
  /** Returns whether the update was taken; false when the queue is full. */
  push(update: LiveUpdate): boolean;
  /** Ends the queue after the updates that it holds, with an error where there is one. */
  end(error?: Error): void;
}

export function openQueue(maxQueued: number): LiveQueue {
  const waiting = new Map<string, LiveUpdate>();
  let events = 0;
  let ended: { readonly error: Error | undefined } | undefined;
  let notify: () => void = () => undefined;

  return {
    push: (update) => {
      if (ended !== undefined) return false;
      const isEvent = update.channel === 'orders' || update.channel === 'balance';
      if (isEvent && waiting.size >= maxQueued) return false;
      events += 1;
      waiting.set(isEvent ? String(events) : update.channel, update);
      notify();
      return true;
    },
    end: (error) => {
      ended ??= { error };
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const [first] = waiting;
        if (first !== undefined) {
          waiting.delete(first[0]);
          yield first[1];
        } else if (ended === undefined) {
          await new Promise<void>((resolve) => (notify = resolve));
        } else {
          if (ended.error !== undefined) throw ended.error;
          return;
        }
      }
    },
  };
}
