import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail, unless, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { reasonIssues } from '../../../shared/kernel/reason.js';
import type { Fill } from '../venues/venue.js';
import { findExecution, type Outgoing } from './execution.store.js';
import { orderReasons } from './order.js';
import { getOrder, type OrderRow } from './order.store.js';
import type { ResolutionArgs } from './order.type.js';
import { isSettled, type Report } from './report.js';
import { settleReports } from './settle-reports.js';

export type Resolution = Readonly<ResolutionArgs>;

/** Later reports of its venue concern the house only. @throws {ApiError} NOT_FOUND; CONFLICT where the order does not wait for an operator; BAD_REQUEST */
export async function resolveExecution(tx: Context, executionId: string, resolution: Resolution): Promise<OrderRow> {
  const execution = isUuid(executionId) ? await findExecution(tx, executionId) : undefined;
  const order = execution === undefined ? undefined : await getOrder(tx, execution.orderId);
  if (execution === undefined || order === undefined)
    throw new ApiError('NOT_FOUND', { message: 'There is no such execution' });
  const waits = order.quarantinedAt !== null && order.closedAt === null;
  if (!waits || execution.state === 'SENDING' || isSettled(execution))
    throw new ApiError('CONFLICT', byRule('EXECUTION_NOT_WAITING'));
  const { outcome, amount = null, price = null, reason } = resolution;
  const after = await settleReports(tx, order.id, [resolvedReport(tx, execution, order.quote, resolution)]);
  await recordAudit(tx, {
    action: 'resolveExecution',
    subject: { type: 'execution', id: executionId },
    before: { status: order.status, filledAmount: order.filledAmount },
    after: { status: after.status, filledAmount: after.filledAmount, outcome, amount, price, reason: reason.trim() },
  });
  return after;
}

/** @param quote the currency in which it was traded @throws {ApiError} BAD_REQUEST with all errors */
export function resolvedReport({ clock }: Context, execution: Outgoing, quote: string, resolution: Resolution): Report {
  refuse('BAD_REQUEST', [...reasonIssues(resolution.reason), ...fillIssues(execution, resolution)]);
  const { id: executionId, venue, symbol, side } = execution;
  const { outcome, amount = null, price = null } = resolution;
  const said = { executionId, state: outcome, reason: orderReasons.RESOLVED, resolved: true };
  if (amount === null || price === null) return said;
  const fill: Fill = {
    venue,
    tradeId: `operator-${executionId}`,
    clientOrderId: executionId,
    symbol,
    side,
    price: new Decimal(price),
    amount: new Decimal(amount),
    fee: new Decimal(0),
    feeCurrency: quote,
    at: clock.now(),
    liquidity: 'TAKER',
  };
  return { ...said, fills: [fill] };
}

/** Returns the errors of the fill in a resolution: no more than the open amount, and at no worse price than the limit that was sent. */
function fillIssues(execution: Outgoing, { outcome, amount = null, price = null }: Resolution): ErrorDetail[] {
  const isPair = (amount === null) === (price === null);
  const isExpected = outcome === 'FILLED' ? amount !== null : outcome === 'CANCELLED' || amount === null;
  if (!isPair || !isExpected) return [errorAt('amount', 'EXECUTION_FILL')];
  if (amount === null || price === null) return [];
  const left = new Decimal(execution.amount).minus(execution.filledAmount);
  const isWithin = new Decimal(amount).greaterThan(0) && new Decimal(amount).lessThanOrEqualTo(left);
  const limit = new Decimal(execution.limitPrice);
  const isBuy = execution.side === 'BUY';
  const isPrice =
    new Decimal(price).greaterThan(0) && (isBuy ? limit.greaterThanOrEqualTo(price) : limit.lessThanOrEqualTo(price));
  return [
    ...unless(isWithin, errorAt('amount', 'AMOUNT_AT_MOST', { max: left.toFixed() })),
    ...unless(
      isPrice,
      errorAt('price', isBuy ? 'EXECUTION_PRICE_AT_MOST' : 'EXECUTION_PRICE_AT_LEAST', { limit: limit.toFixed() }),
    ),
  ];
}
