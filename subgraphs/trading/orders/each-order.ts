import type { Context } from '../../../shared/kernel/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { looksBeforeQuarantine, nextLook } from './call-venue.js';
import { putOff, type ExecutionRow } from './execution.store.js';
import { quarantine } from './order.store.js';

/** Runs work that is tried again later when it fails. */
export async function tried({ log }: Context, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailed(log, error, failure);
  }
}

/** Acts on all orders concurrently: one that fails is looked up later, and none waits for another's venue. */
export async function eachOrder(
  context: Context,
  executions: readonly ExecutionRow[],
  act: (orderId: string, own: readonly ExecutionRow[]) => Promise<unknown>,
): Promise<void> {
  const actOn = async (orderId: string, own: readonly ExecutionRow[]) => {
    try {
      await act(orderId, own);
    } catch (error) {
      logFailed(context.log, error, 'An order could not be settled; it will be looked up later', { order: orderId });
      const now = context.clock.now();
      await putOff(
        context,
        own.map(({ id, looks }) => ({ id, nextLookAt: nextLook(now, looks) })),
      );
      await callOperator(context, orderId, own);
    }
  };
  await Promise.all([...groupBy(executions, (one) => one.orderId)].map(([orderId, own]) => actOn(orderId, own)));
}

/** Alerts an operator to an order whose executions were looked up too often. */
export async function callOperator(context: Context, orderId: string, own: readonly ExecutionRow[]): Promise<void> {
  const isLost = own.some(({ looks }) => looks + 1 >= looksBeforeQuarantine);
  if (!isLost || !(await quarantine(context, orderId))) return;
  context.log.error(
    { order: orderId },
    'An order waits for an operator: its outcome at a venue could not be determined',
  );
}
