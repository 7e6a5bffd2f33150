import type { Context } from '../../../shared/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { groupBy } from '../../../shared/group-by.js';
import { eachOrder } from './each-order.js';
import type { Busy, ExecutionRow } from './execution.store.js';

/** Maximum number of executions that are begun at once, and that are under way at one venue; the rest is left for later. */
const atOnce = 100;

/** Calls of venues about executions. Those at a venue that does not respond hold up only others at that venue. */
export interface VenueWork {
  /** Begins what is due. @returns whether there may be more */
  begin(): Promise<boolean>;
  /** Waits for all that is under way. */
  end(): Promise<void>;
}

/**
 * @param due lists executions that are due, those that have waited longest first
 * @param act acts on executions of one order at one venue
 */
export function createVenueWork(
  context: Context,
  due: (busy: Busy, limit: number) => Promise<ExecutionRow[]>,
  act: (orderId: string, own: readonly ExecutionRow[]) => Promise<void>,
): VenueWork {
  const underWay = new Map<string, string>();
  const runs = new Set<Promise<void>>();
  const busy = (): Busy => {
    const byVenue = groupBy(underWay.values(), (venue) => venue);
    return {
      ids: [...underWay.keys()],
      venues: [...byVenue].filter(([, own]) => own.length >= atOnce).map(([venue]) => venue),
    };
  };
  const run = async (own: readonly ExecutionRow[]) => {
    try {
      await eachOrder(context, own, act);
    } catch (error) {
      logFailed(context.log, error, 'Orders could not be settled, nor put off; this will be retried');
    } finally {
      for (const { id } of own) underWay.delete(id);
    }
  };
  return {
    begin: async () => {
      const begun = await due(busy(), atOnce);
      for (const { id, venue } of begun) underWay.set(id, venue);
      for (const own of groupBy(begun, ({ orderId, venue }) => `${orderId} ${venue}`).values()) {
        const running = run(own);
        runs.add(running);
        void running.finally(() => runs.delete(running));
      }
      return begun.length === atOnce;
    },
    end: async () => {
      await Promise.all(runs);
    },
  };
}
