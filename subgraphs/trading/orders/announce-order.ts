import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import type { LockedOrder, OrderRow } from './order.store.js';

/** The average price of what was executed, in the quote currency with up to 8 decimals; undefined before the first fill. */
export function averagePriceOf({ filledAmount, exactValue }: Pick<OrderRow, 'filledAmount' | 'exactValue'>): string | undefined {
  const amount = new Decimal(filledAmount);
  if (amount.isZero()) return undefined;
  return new Decimal(exactValue).dividedBy(amount).toDecimalPlaces(8, Decimal.ROUND_HALF_UP).toFixed();
}

/** What webhooks are told of an order that changed: `order.filled` of each fill, `order.cancelled` of its end. */
function eventsOf(before: OrderRow, after: LockedOrder, occurredAt: Date): DomainEvent[] {
  const { id: orderId, symbol, side, status, filledAmount, ownerId } = after;
  const data = { orderId, symbol, side, status, filledAmount, occurredAt: occurredAt.toISOString() };
  const event = (topic: string, payload: object): DomainEvent => ({
    topic,
    key: orderId,
    payload: { ownerId, data: payload },
  });
  const isFilled = before.filledAmount !== filledAmount && (status === 'FILLED' || status === 'PARTIALLY_FILLED');
  const isCancelled = before.status !== status && status === 'CANCELLED';
  return [
    ...(isFilled ? [event('order.filled', { ...data, averagePrice: averagePriceOf(after) ?? '0' })] : []),
    ...(isCancelled ? [event('order.cancelled', data)] : []),
  ];
}

/** Tells of an order that changed in the transaction under way. Synthetic orders are no webhook's business. */
export async function announceOrder(tx: Context, before: OrderRow, after: LockedOrder): Promise<void> {
  if (!after.synthetic) await announceAll(tx, eventsOf(before, after, tx.clock.now()));
}
