import type { Clock } from '../../../shared/clock.js';

/** Subscriptions that this process leaves alone for a while. Others may serve them meanwhile. */
export interface Hold {
  /** Leaves one alone; answers whether it was not left alone before. */
  hold(id: string): boolean;
  /** Those that are left alone now. */
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
