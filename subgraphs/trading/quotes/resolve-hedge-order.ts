import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { byRule } from '../../../shared/rule-error.js';
import { looksBeforeQuarantine } from '../orders/call-venue.js';
import { isSettled } from '../orders/report.js';
import { resolvedReport, type Resolution } from '../orders/resolve-execution.js';
import { findHedgedQuote, hedgeOrdersOf, lockHedges, type HedgeOrderRow } from './hedge.store.js';
import { settleHedge } from './settle-hedge.js';

/** Whether an operator may resolve a hedge order: it is not settled, and was looked up in vain often enough. */
export function waitsForOperator(order: HedgeOrderRow): boolean {
  return !isSettled(order) && order.state !== 'SENDING' && order.looks >= looksBeforeQuarantine;
}

/**
 * Settles a hedge order with an unknown outcome by an operator's resolution. Later reports of its venue change nothing;
 * the rest of the hedge is traded again.
 * @returns the id of its quote
 * @throws {ApiError} NOT_FOUND; CONFLICT for an order that does not wait for an operator; BAD_REQUEST
 */
export function resolveHedgeOrder(context: Context, id: string, resolution: Resolution): Promise<string> {
  return inTransaction(context, (tx) => resolve(tx, id, resolution));
}

async function resolve(tx: Context, id: string, resolution: Resolution): Promise<string> {
  const quoteId = isUuid(id) ? await findHedgedQuote(tx, id) : undefined;
  if (quoteId === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such hedge order' });
  // From here on no other transaction can settle anything of the hedge.
  const hedges = await lockHedges(tx, [quoteId]);
  const [orders = []] = await hedgeOrdersOf(tx, hedges);
  const order = orders.find((one) => one.id === id.toLowerCase());
  const [hedge] = hedges;
  if (hedge === undefined || order === undefined || !waitsForOperator(order))
    throw new ApiError('CONFLICT', byRule('HEDGE_ORDER_NOT_WAITING'));
  const report = resolvedReport(tx, order, hedge.quote, resolution);
  const after = await settleHedge(tx, { quoteId, reports: [report], afterSeconds: 0 });
  const { outcome, amount = null, price = null, reason } = resolution;
  await recordAudit(tx, {
    action: 'resolveHedgeOrder',
    subject: { type: 'hedgeOrder', id: order.id },
    before: { state: order.state, hedgedAmount: hedge.hedgedAmount },
    after: {
      state: after.state,
      hedgedAmount: after.hedgedAmount,
      quoteId,
      outcome,
      amount,
      price,
      reason: reason.trim(),
    },
  });
  return quoteId;
}
