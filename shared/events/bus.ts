/** A payload that is published under several topics at once. */
export interface BusMessage {
  readonly topics: readonly string[];
  readonly payload: unknown;
}

/** Publishes committed events to current listeners. Best effort: it never rejects nor blocks for long; correctness must not depend on it. */
export interface Bus {
  publish(topic: string, payload: unknown): Promise<void>;
  publishAll(messages: readonly BusMessage[]): Promise<void>;
  /** Subscribes to a topic. Resolves with the function that unsubscribes, once the subscription is active or as far as it can be at the moment. */
  listen(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export function createLocalBus(): Bus {
  const topics = new Map<string, Set<(payload: unknown) => void>>();
  const publishAll = (messages: readonly BusMessage[]) => {
    for (const { topics: told, payload } of messages) {
      for (const topic of told) for (const listener of topics.get(topic) ?? []) listener(payload);
    }
    return Promise.resolve();
  };
  return {
    publishAll,
    publish: (topic, payload) => publishAll([{ topics: [topic], payload }]),
    listen: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return Promise.resolve(() => {
        listeners.delete(listener);
        if (listeners.size === 0) topics.delete(topic);
        return Promise.resolve();
      });
    },
    close: () => {
      topics.clear();
      return Promise.resolve();
    },
  };
}
