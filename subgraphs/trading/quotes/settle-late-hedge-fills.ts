import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { isUuid } from '../../../shared/ids.js';
import { unrecordedHedgeFills } from '../orders/fill.store.js';
import type { Report } from '../orders/report.js';
import type { Fill } from '../venues/venue.js';
import { findHedgeOrders } from './hedge.store.js';
import { settleHedge } from './settle-hedge.js';

/**
 * Settles fills of hedges' child orders that arrived by themselves, those of a hedge that is done too. Most of them are known already, by the response
 * to the child order. A fill that belongs to nobody is logged: a trade by hand in the house's account, or an error.
 * @returns the fills of child orders that are being sent: they wait for the response
 */
export async function settleLateHedgeFills(context: Context, fills: readonly Fill[]): Promise<Fill[]> {
  const ids = new Set(fills.map(({ clientOrderId }) => clientOrderId).filter(isUuid));
  const orders = new Map((await findHedgeOrders(context, [...ids])).map((one) => [one.id, one]));
  const orderOf = ({ clientOrderId }: Fill) => orders.get(clientOrderId.toLowerCase());
  for (const fill of fills) if (orderOf(fill) === undefined) logUnknown(context, fill);
  const late = await unrecordedHedgeFills(
    context,
    fills.filter((fill) => orderOf(fill)?.isSending === false),
  );
  const byQuote = groupBy(late, (fill) => orderOf(fill)?.quoteId ?? '');
  await Promise.all(
    [...byQuote].map(([quoteId, own]) =>
      settleHedge(context, { quoteId, reports: reportsOf(own), afterSeconds: null }),
    ),
  );
  return fills.filter((fill) => orderOf(fill)?.isSending === true);
}

function reportsOf(fills: readonly Fill[]): Report[] {
  return [...groupBy(fills, ({ clientOrderId }) => clientOrderId)].map(([executionId, own]) => ({
    executionId,
    fills: own,
  }));
}

function logUnknown({ log }: Context, { venue, tradeId, clientOrderId, symbol, side, amount, price }: Fill): void {
  log.error(
    { venue, tradeId, clientOrderId, symbol, side, amount: amount.toFixed(), price: price.toFixed() },
    'A venue reported a fill of an order that the house did not send',
  );
}
