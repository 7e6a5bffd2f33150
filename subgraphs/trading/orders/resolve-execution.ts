import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { Fault, refuse } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { findExecution } from './execution.store.js';
import { getOrder, type OrderRow } from './order.store.js';
import { settleReports, type Report } from './settle-reports.js';

/** What an operator has found out of an execution. */
export interface Resolution {
  readonly outcome: 'FILLED' | 'CANCELLED' | 'REJECTED';
  /** Of FILLED, or what was filled before it was cancelled: in the base and in the quote currency. */
  readonly amount?: string | null | undefined;
  readonly price?: string | null | undefined;
}

/**
 * Settles an execution whose fate could not be found out, by what an operator says.
 * @throws {Fault} NOT_FOUND; CONFLICT for one whose order does not wait for an operator; BAD_REQUEST
 */
export async function resolveExecution(tx: Context, executionId: string, resolution: Resolution): Promise<OrderRow> {
  const execution = isUuid(executionId) ? await findExecution(tx, executionId) : undefined;
  const order = execution === undefined ? undefined : await getOrder(tx, execution.orderId);
  if (execution === undefined || order === undefined)
    throw new Fault('NOT_FOUND', { message: 'There is no such execution' });
  if (order.quarantinedAt === null || order.closedAt !== null || execution.state !== 'UNKNOWN')
    throw new Fault('CONFLICT', { message: 'The execution does not wait for an operator' });
  const { outcome, amount = null, price = null } = resolution;
  const left = new Decimal(execution.amount).minus(execution.filledAmount);
  if ((outcome === 'FILLED') !== (amount !== null && price !== null) && outcome !== 'CANCELLED')
    refuse('BAD_REQUEST', [{ path: 'amount', message: 'give amount and price of what was filled, and only then' }]);
  if (amount !== null && (!new Decimal(amount).greaterThan(0) || new Decimal(amount).greaterThan(left)))
    refuse('BAD_REQUEST', [{ path: 'amount', message: `must be above 0 and at most ${left.toFixed()}` }]);
  if (price !== null && !new Decimal(price).greaterThan(0))
    refuse('BAD_REQUEST', [{ path: 'price', message: 'must be above 0' }]);
  const fills: Report['fills'] =
    amount === null || price === null
      ? []
      : [
          {
            venue: execution.venue,
            tradeId: `operator-${executionId}`,
            clientOrderId: executionId,
            symbol: execution.symbol,
            side: execution.side,
            price: new Decimal(price),
            amount: new Decimal(amount),
            fee: new Decimal(0),
            feeCurrency: order.quote,
            at: tx.clock.now(),
            liquidity: 'TAKER',
          },
        ];
  const after = await settleReports(tx, order.id, [
    { executionId, fills, state: outcome, reason: 'Resolved by an operator' },
  ]);
  await recordAudit(tx, {
    action: 'resolveExecution',
    subject: { type: 'execution', id: executionId },
    before: { status: order.status, filledAmount: order.filledAmount },
    after: { status: after.status, filledAmount: after.filledAmount, outcome, amount, price },
  });
  return after;
}
