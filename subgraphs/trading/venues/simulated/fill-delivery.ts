import type { Fill } from '../venue.js';
import type { ReadableScript } from './failures.js';

/** Delivers fills as the script says: at once, twice, in reverse order, or when they are released. */
export interface FillDelivery {
  /** Adds a fill, which is delivered after the call under way. */
  readonly add: (fill: Fill) => void;
  /** Whether a fill is withheld, so that the exchange does not report it. */
  isKept(tradeId: string): boolean;
  /** Delivers the withheld fills. */
  readonly release: () => void;
}

export function createFillDelivery(script: ReadableScript, deliver: (fill: Fill) => void): FillDelivery {
  const kept = new Map<string, Fill>();
  let queue: Fill[] = [];
  const flush = () => {
    const fills = queue;
    queue = [];
    if (script.ofFills === 'OUT_OF_ORDER') fills.reverse();
    for (const fill of fills) {
      deliver(fill);
      if (script.ofFills === 'DUPLICATE') deliver(fill);
    }
  };
  return {
    add: (fill) => {
      if (script.ofFills === 'LATE') {
        kept.set(fill.tradeId, fill);
        return;
      }
      queue.push(fill);
      if (queue.length === 1) queueMicrotask(flush);
    },
    isKept: (tradeId) => kept.has(tradeId),
    release: () => {
      const fills = [...kept.values()];
      kept.clear();
      for (const fill of fills) deliver(fill);
    },
  };
}
