import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { WalletChoice } from '../profiles/require-wallet.js';
import { formatAmount } from '../format-amount.js';
import { decisionForm, type Cost, type Decision } from './decision.js';
import { averagePriceOf } from './order.js';
import { fillsOf } from './fill.store.js';
import type { OrderExecution } from './order-execution.type.js';
import { type OrderRow, listDecisions } from './order.store.js';
import { requireOrder } from './read-orders.js';

/** The decision of a rejected order whose routing is not stored any more. */
const forgotten: Decision = {
  mid: null,
  bound: null,
  slippagePercent: null,
  refused: null,
  expected: null,
  venues: [],
  children: [],
};

const maxFills = 1_000;

/**
 * Returns the execution of a wallet's order, and the router's decision.
 * @throws {ApiError} NOT_FOUND
 */
export async function readExecution(
  context: Context,
  choice: WalletChoice,
  orderId: string,
): Promise<Shape<OrderExecution>> {
  const order = await requireOrder(context, choice, orderId);
  const decisions = z.array(decisionForm).parse(await listDecisions(context, order.id));
  const decision = decisions[0] ?? forgotten;
  const fills = await fillsOf(context, order.id, maxFills);
  const average = averagePriceOf(order);
  const { price, amount, levels, cost } = writing(order);
  return {
    orderId: order.id,
    mid: decision.mid && price(decision.mid),
    bound: decision.bound && price(decision.bound),
    refused: decision.refused,
    expected: decision.expected && cost(decision.expected),
    expectedSlippagePercent: decision.slippagePercent,
    slippagePercent: slippageOf(order.side === 'BUY', average, decision.mid),
    venues: decision.venues.map((one) => ({
      ...one,
      makerFee: percentOf(one.makerFee),
      takerFee: percentOf(one.takerFee),
      bids: levels(one.bids),
      asks: levels(one.asks),
      alone: one.alone && cost(one.alone),
    })),
    children: decisions.flatMap(({ children }, index) =>
      children.map((child) => ({
        ...child,
        amount: amount(child.amount),
        limitPrice: price(child.limitPrice),
        round: index + 1,
      })),
    ),
    fills: fills.map((fill) => ({ ...fill, price: price(fill.price), amount: amount(fill.amount) })),
  };
}

/** Returns how the amounts and prices of an order are written. */
function writing({ baseDecimals, quoteDecimals, priceDecimals }: OrderRow) {
  const price = (text: string) => formatAmount(text, priceDecimals);
  const amount = (text: string) => formatAmount(text, baseDecimals);
  const value = (text: string) => formatAmount(text, quoteDecimals);
  return {
    price,
    amount,
    levels: (all: Decision['venues'][number]['asks']) =>
      all.map((level) => ({ price: price(level.price), amount: amount(level.amount) })),
    cost: (cost: Cost): Cost => ({
      amount: amount(cost.amount),
      notional: value(cost.notional),
      fees: value(cost.fees),
      total: value(cost.total),
    }),
  };
}

const percentOf = (fraction: string): string => new Decimal(fraction).times(100).toFixed();

/** Returns how much worse the average price is than the mid price was, in percent; negative where it is better. */
function slippageOf(isBuy: boolean, average: string | undefined, mid: string | null): string | null {
  if (average === undefined || mid === null) return null;
  const percent = new Decimal(average).dividedBy(mid).minus(1).times(100);
  return (isBuy ? percent : percent.negated()).toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();
}
