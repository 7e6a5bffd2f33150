import type { Context } from '../../../shared/context.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { appendBalances } from '../streams/append-balances.js';
import { appendEvents } from '../streams/append-events.js';
import { averagePriceOf } from './order.js';
import type { LockedOrder, OrderRow } from './order.store.js';
import { toOrder } from './order.type.js';

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

/**
 * Tells of an order that changed in the transaction under way, and of what its wallet then holds. Once in a transaction, after
 * everything was posted. Synthetic orders are no webhook's business.
 */
export async function announceOrder(tx: Context, before: OrderRow, after: LockedOrder): Promise<void> {
  const isChanged = before.status !== after.status || before.filledAmount !== after.filledAmount;
  if (!isChanged) return;
  if (!after.synthetic) await announceAll(tx, eventsOf(before, after, tx.clock.now()));
  await tellReaders(tx, after);
}

/** Tells the readers of the wallet how an order stands, and what the wallet holds of its currencies. */
export async function tellReaders(tx: Context, order: OrderRow): Promise<void> {
  const { walletId, synthetic, base, quote } = order;
  await appendEvents(tx, [{ walletId, synthetic, channel: 'orders', data: toOrder(order) }]);
  await appendBalances(tx, [{ id: walletId, synthetic }], [base, quote]);
}
