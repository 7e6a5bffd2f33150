import type { Clock } from '../../../shared/kernel/clock.js';

/** Subscriptions that this process pauses. Others may serve them in the meantime. */
export interface Hold {
  /** Pauses one; returns whether it was not paused before. */
  hold(id: string): boolean;
  /** Returns the currently paused ones. */
  readonly ids: () => readonly string[];
}

export function createHold(clock: Clock, forMs: number): Hold {
  const until = new Map<string, number>();
  return {
    hold: (id) => {
      const now = clock.now().getTime();
      const isNew = (until.get(id) ?? 0) <= now;
      if (isNew) until.set(id, now + forMs);
      return isNew;
    },
    ids: () => {
      const now = clock.now().getTime();
      for (const [id, end] of until) if (end <= now) until.delete(id);
      return [...until.keys()];
    },
  };
}
