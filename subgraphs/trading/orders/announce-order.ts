import type { Context } from '../../../shared/kernel/context.js';
import { announceAll, type DomainEvent } from '../../../shared/events/outbox/outbox.js';
import { formatAmount } from '../format-amount.js';
import { tellAll, type NewsOf } from '../streams/tell-readers.js';
import { averagePriceOf } from './order.js';
import { lockOrders, type LockedOrder, type OrderRow } from './order.store.js';
import { toOrder } from './order.type.js';

/** The ways in which an open order ends without being filled whole. */
const unfilled: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED', 'REJECTED']);

/** Returns `order.filled` for each fill, whatever the status then; `order.cancelled` for any other end, by expiry or rejection too. */
function eventsOf(before: OrderRow, after: LockedOrder, occurredAt: Date): DomainEvent[] {
  const { id: orderId, symbol, side, status, filledAmount, ownerId, profileId, clientOrderId } = after;
  const data = {
    orderId,
    symbol,
    side,
    status,
    filledAmount: formatAmount(filledAmount, after.baseDecimals),
    occurredAt: occurredAt.toISOString(),
    ...(clientOrderId === null ? {} : { clientOrderId }),
    ...(profileId === null ? {} : { profileId }),
  };
  const event = (topic: string, payload: object): DomainEvent => ({
    topic,
    key: orderId,
    payload: { ownerId, data: payload },
  });
  const isFilled = before.filledAmount !== filledAmount;
  const isOver = before.status !== status && unfilled.has(status);
  return [
    ...(isFilled ? [event('order.filled', { ...data, averagePrice: averagePriceOf(after) })] : []),
    ...(isOver ? [event('order.cancelled', data)] : []),
  ];
}

export interface Change {
  readonly before: OrderRow;
  readonly after: LockedOrder;
  /** The currencies in which the transaction has posted to its wallet. */
  readonly currencies: readonly string[];
}

/** Call it once per transaction, after all postings. Synthetic orders have no webhooks. */
export async function announceOrders(tx: Context, changes: readonly Change[]): Promise<void> {
  const changed = changes.filter(
    ({ before, after }) => before.status !== after.status || before.filledAmount !== after.filledAmount,
  );
  const now = tx.clock.now();
  await announceAll(
    tx,
    changed.flatMap(({ before, after }) => (after.synthetic ? [] : eventsOf(before, after, now))),
  );
  await tellAll(
    tx,
    changed.map(({ after, currencies }) => newsOf(after, currencies)),
  );
}

/** Announces to webhooks the orders that ended in the transaction that places them; readers of the streams receive the placing itself. */
export async function announceEnded(tx: Context, orders: readonly OrderRow[]): Promise<void> {
  const cancelled = orders.filter(({ status, synthetic }) => status === 'CANCELLED' && !synthetic);
  if (cancelled.length === 0) return;
  const now = tx.clock.now();
  const known = await lockOrders(
    tx,
    cancelled.map(({ id }) => id),
  );
  await announceAll(
    tx,
    known.flatMap((order) => eventsOf({ ...order, status: 'PENDING' }, order, now)),
  );
}

/** Returns the news for the readers of a wallet: the order's present state, and the balances of the given currencies. */
export function newsOf(order: OrderRow, currencies: readonly string[] = []): NewsOf {
  const { walletId: id, synthetic } = order;
  return { wallet: { id, synthetic }, orders: [toOrder(order)], currencies };
}
