import type { Context } from '../../../shared/kernel/context.js';
import { logFailed } from '../../../shared/database/log-unavailable.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { bindSubject, subjectOf } from '../../../shared/graphql/in-steps.js';
import { requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { Desk } from './desk.js';
import { executionsOf } from './execution.store.js';
import { isOpen } from './order.js';
import { getOrder, openOrdersOf, requestCancel, type OrderRow, removeTimer, setTimer } from './order.store.js';
import { requireOrder } from './read-orders.js';
import { settleReports } from './settle-reports.js';
import { wakeEngines } from './wake.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';

/** Maximum number of orders that one mutation cancels; the rest is left for the next. */
export const maxCancelled = 500;
/** Orders whose venues are asked concurrently, so that none waits for the venue of another. */
const endedAtOnce = 100;

/** Returns the order after its venues have responded; amounts executed by then count. @throws {ApiError} NOT_FOUND; CONFLICT for an order that is not open */
export async function cancelOrder(
  context: Context,
  desk: Desk,
  choice: WalletChoice,
  orderId: string,
): Promise<OrderRow> {
  const order = await requireOrder(context, choice, orderId);
  const isResumed = subjectOf(context) !== undefined;
  if (!isOpen(order.status)) {
    // A retry of the request: its first attempt found the order open, and closed it.
    if (isResumed) return order;
    throw new ApiError('CONFLICT', byRule('ORDER_NOT_OPEN', { status: order.status }));
  }
  await inTransaction(context, async (tx) => {
    await requestCancel(tx, [orderId]);
    await bindSubject(tx, orderId);
  });
  await endOrder(context, desk, orderId);
  const after = await getOrder(context, orderId);
  if (after === undefined) throw new Error(`The order ${orderId} no longer exists`);
  return after;
}

/** Skips orders for which this was requested before. @returns the number of orders to cancel; at most `maxCancelled` per call */
export async function cancelAllOrders(
  context: Context,
  desk: Desk,
  choice: WalletChoice,
  symbol: string | undefined,
): Promise<number> {
  const { id } = await requireWallet(context, choice);
  return cancelWallet(context, desk, id, symbol);
}

async function cancelWallet(context: Context, desk: Desk, walletId: string, symbol?: string): Promise<number> {
  const ids = await openOrdersOf(context, walletId, symbol, maxCancelled);
  await inTransaction(context, (tx) => requestCancel(tx, ids));
  const end = async (orderId: string) => {
    try {
      await endOrder(context, desk, orderId);
    } catch (error) {
      logFailed(context.log, error, 'An order could not be cancelled; this will be retried', { order: orderId });
    }
  };
  for (let from = 0; from < ids.length; from += endedAtOnce)
    await Promise.all(ids.slice(from, from + endedAtOnce).map(end));
  return ids.length;
}

/** Cancels at the venues the executions of an order that belong to this process. Other processes cancel theirs. */
export async function endOrder(context: Context, desk: Desk, orderId: string): Promise<void> {
  const executions = await executionsOf(context, orderId);
  const own = executions.filter(({ session, state }) => session === desk.session && state === 'OPEN');
  if (executions.some(({ session, state }) => session !== desk.session && state === 'OPEN')) wakeEngines(context);
  if (own.length > 0) await desk.cancel(context, orderId, own);
  else if (executions.length === 0) await settleReports(context, orderId, []);
}

/** 0 seconds removes the switch. @returns when all open orders will be cancelled, unless it is set again. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function cancelAllAfter(context: Context, choice: WalletChoice, seconds: number): Promise<Date | null> {
  requireBounds({ name: 'seconds', value: seconds, min: 0, max: 86_400 });
  const { id: walletId } = await requireWallet(context, choice);
  if (seconds === 0) {
    await removeTimer(context, walletId);
    return null;
  }
  const firesAt = new Date(context.clock.now().getTime() + seconds * 1_000);
  await setTimer(context, { walletId, firesAt });
  return firesAt;
}
