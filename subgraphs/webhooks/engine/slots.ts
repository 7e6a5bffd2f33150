import type { Lane } from './claim.store.js';

export interface SlotLimits {
  /** Maximum number of concurrent attempts. */
  readonly total: number;
  readonly perSubscription: number;
}

/** Returns the maximum number of concurrent attempts to the subscriptions of one owner: a quarter of the slots, and at least those of one subscription. */
export function slotsOfOwner({ total, perSubscription }: SlotLimits): number {
  return Math.max(perSubscription, Math.floor(total / 4));
}

/**
 * Slots for attempts. Retries and failing receivers get at most half of them, so that first attempts always find one; first
 * attempts get at most three quarters, so that retries do too.
 */
export interface Slots {
  free(lane: Lane): number;
  take(lane: Lane, subscriptionId: string): void;
  give(lane: Lane, subscriptionId: string): void;
  /** Number of attempts in progress by subscription. */
  readonly underWay: ReadonlyMap<string, number>;
}

const share: Readonly<Record<Lane, number>> = { first: 3 / 4, later: 1 / 2 };

export function createSlots({ total }: SlotLimits): Slots {
  const taken: Record<Lane, number> = { first: 0, later: 0 };
  const underWay = new Map<string, number>();
  const add = (lane: Lane, id: string, count: 1 | -1) => {
    taken[lane] += count;
    const left = (underWay.get(id) ?? 0) + count;
    if (left === 0) underWay.delete(id);
    else underWay.set(id, left);
  };
  return {
    underWay,
    free: (lane) => {
      const all = total - taken.first - taken.later;
      return Math.min(all, Math.floor(total * share[lane]) - taken[lane]);
    },
    take: (lane, id) => add(lane, id, 1),
    give: (lane, id) => add(lane, id, -1),
  };
}
