import type { Context } from '../../../shared/context.js';
import { announceAll, type DomainEvent } from '../../../shared/outbox/outbox.js';
import { tellReaders } from '../streams/tell-readers.js';
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
 * @param currencies in which the transaction has posted to the wallet
 */
export async function announceOrder(
  tx: Context,
  before: OrderRow,
  after: LockedOrder,
  currencies: readonly string[],
): Promise<void> {
  const isChanged = before.status !== after.status || before.filledAmount !== after.filledAmount;
  if (!isChanged) return;
  if (!after.synthetic) await announceAll(tx, eventsOf(before, after, tx.clock.now()));
  await tellOfOrder(tx, after, currencies);
}

/** Tells the readers of a wallet how an order of it stands, and what it holds of the currencies that were posted to it. */
export function tellOfOrder(tx: Context, order: OrderRow, currencies: readonly string[] = []): Promise<void> {
  const { walletId: id, synthetic } = order;
  return tellReaders(tx, { id, synthetic }, { orders: [toOrder(order)], currencies });
}
