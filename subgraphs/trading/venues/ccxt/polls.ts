/** Independent polling tasks: one that is slow or fails does not stop the others. */
export interface Polls {
  add(what: string, ask: () => Promise<void>): void;
  /** Runs each task once, and then periodically. Never rejects. */
  start(): Promise<void>;
  /** Starts no further run; those under way end. */
  stop(): Promise<void>;
}

/** @param onError receives each failure; the task runs again at its next time */
export function createPolls(everyMs: number, onError: (error: unknown, what: string) => void): Polls {
  const polls = new Map<string, () => Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let stopped = true;

  const run = async (what: string, ask: () => Promise<void>): Promise<void> => {
    await ask().catch((error: unknown) => onError(error, what));
    if (!stopped) timers.set(what, setTimeout(() => void track(what, ask), everyMs).unref());
  };
  const track = (what: string, ask: () => Promise<void>): Promise<void> => {
    const running = run(what, ask);
    underWay.add(running);
    return running.finally(() => underWay.delete(running));
  };
  return {
    add: (what, ask) => polls.set(what, ask),
    start: async () => {
      stopped = false;
      await Promise.all([...polls].map(([what, ask]) => track(what, ask)));
    },
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
