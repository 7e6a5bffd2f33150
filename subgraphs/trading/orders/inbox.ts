import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { isUuid } from '../../../shared/ids.js';
import type { Fill } from '../venues/venue.js';
import type { Desk } from './desk.js';
import { eachOrder, tried } from './each-order.js';
import { findExecutions, lookAtOpen, type ExecutionRow } from './execution.store.js';

/** Maximum number of fills that wait to be settled; further ones are found by looking up their executions. */
const maxFills = 10_000;

/** Settles fills that belong to no execution, such as those of hedges; returns those that must wait. */
export type SettleOthers = (context: Context, fills: readonly Fill[]) => Promise<readonly Fill[]>;

/** Holds fills that arrive by themselves until they are settled. */
export interface Inbox {
  readonly add: (fill: Fill) => void;
  /** Waits until a fill arrives, at most for a time. */
  wait(waitMs: number, signal: AbortSignal): Promise<void>;
  readonly settle: () => Promise<void>;
  /** Waits for the rounds that are being sent. */
  end(): Promise<void>;
}

export function createInbox(context: Context, desk: Desk, settleOthers: SettleOthers): Inbox {
  const rounds = new Set<Promise<void>>();
  /** After a failure, the look-up of their execution finds the fills again. A further round of the order holds up no other fills. */
  const settleFillsOf = (execution: ExecutionRow, own: readonly Fill[]) =>
    eachOrder(context, [execution], async (orderId) => {
      const { next, begunMs } = await desk.settle(context, orderId, [{ executionId: execution.id, fills: own }]);
      if (next.length === 0) return;
      const round = tried(context, 'A round of an order failed; its executions will be looked up', async () => {
        await desk.send(context, orderId, next, begunMs);
      });
      rounds.add(round);
      void round.finally(() => rounds.delete(round));
    });
  let fills: Fill[] = [];
  /** Fills of hedges whose child order is being sent: the response may contain them. */
  let early: readonly Fill[] = [];
  let isOverfull = false;
  let hasFailed = false;
  let wake: () => void = () => undefined;
  const settleAll = async () => {
    if (isOverfull) await lookAtOpen(context, desk.session);
    isOverfull = false;
    const waiting = groupBy([...early, ...fills, ...desk.takeKept()], ({ clientOrderId }) => clientOrderId);
    fills = [];
    early = [];
    try {
      const found = await findExecutions(context, [...waiting.keys()].filter(isUuid));
      for (const execution of found) {
        await settleFillsOf(execution, waiting.get(execution.id) ?? []);
        waiting.delete(execution.id);
      }
      const others = [...waiting.values()].flat();
      if (others.length > 0) early = await settleOthers(context, others);
    } catch (error) {
      // The database is unavailable: fills that are not settled wait for it.
      fills = [...[...waiting.values()].flat(), ...fills];
      throw error;
    }
  };
  return {
    add: (fill) => {
      if (desk.keep(fill)) return;
      if (fills.length + early.length >= maxFills) {
        isOverfull = true;
        return;
      }
      fills.push(fill);
      wake();
    },
    wait: async (waitMs, signal) => {
      if (fills.length > 0 && !hasFailed) return;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([woken, sleep(waitMs, undefined, { ref: false, signal }).catch(() => undefined)]);
    },
    settle: async () => {
      hasFailed = true;
      await settleAll();
      hasFailed = false;
    },
    end: async () => {
      await Promise.all(rounds);
    },
  };
}
