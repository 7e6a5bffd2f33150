import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Catalogue } from '../markets/catalogue.js';
import { requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import { type OrderFilter, averagePriceOf } from './order.js';
import {
  findOrder,
  listOrders,
  type OrderRow,
  listDecisions,
  decisionForm,
  type Cost,
  type Decision,
} from './order.store.js';
import { z } from 'zod';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { formatAmount } from '../format-amount.js';
import { fillsOf } from './fill.store.js';
import type { OrderExecution } from './order.type.js';

export interface OrderPageRequest {
  readonly symbol?: string | null | undefined;
  readonly status?: OrderFilter | null | undefined;
  readonly limit?: number | null | undefined;
  readonly nextToken?: string | null | undefined;
}

const usualLimit = 50;
const maxLimit = 100;

export interface OrderReading {
  readonly cursors: CursorCodec;
  readonly catalogue: Catalogue;
}

/** @throws {ApiError} BAD_REQUEST for a number out of bounds or a foreign cursor; MARKET_NOT_AVAILABLE for a symbol of no market; NOT_FOUND for an unknown profile */
export async function readOrders(
  context: Context,
  { cursors, catalogue }: OrderReading,
  choice: WalletChoice,
  { symbol = null, status, limit, nextToken }: OrderPageRequest,
): Promise<{ readonly rows: readonly OrderRow[]; readonly nextToken: string | null }> {
  const wanted = limit ?? usualLimit;
  requireBounds({ name: 'limit', value: wanted, min: 1, max: maxLimit });
  const wallet = await requireWallet(context, choice);
  // Markets are halted, and never removed: a symbol without one is a typing error, and its empty list would look like the truth.
  if (symbol !== null) await catalogue.require(context, symbol);
  const scope = JSON.stringify([wallet.id, symbol, status ?? null]);
  const [after = null] = nextToken == null ? [] : cursors.open(scope, nextToken, 'nextToken');
  const found = await listOrders(context, {
    walletId: wallet.id,
    synthetic: wallet.synthetic,
    symbol,
    status: status ?? null,
    after,
    limit: wanted + 1,
  });
  const rows = found.slice(0, wanted);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextToken: last === undefined ? null : cursors.seal(scope, [last.id]) };
}

/** @throws {ApiError} NOT_FOUND */
export async function requireOrder(context: Context, choice: WalletChoice, orderId: string): Promise<OrderRow> {
  const wallet = await requireWallet(context, choice);
  const order = isUuid(orderId) ? await findOrder(context, wallet, orderId) : undefined;
  if (order === undefined) throw new ApiError('NOT_FOUND', { message: 'The wallet has no such order' });
  return order;
}

/** The decision of a rejected order whose routing is no longer stored. */
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

/** @throws {ApiError} NOT_FOUND */
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

function writing({ side, baseDecimals, quoteDecimals, priceDecimals }: OrderRow) {
  const price = (text: string) => formatAmount(text, priceDecimals);
  const amount = (text: string) => formatAmount(text, baseDecimals);
  const value = (text: string) => round(new Decimal(text), quoteDecimals);
  return {
    price,
    amount,
    levels: (all: Decision['venues'][number]['asks']) =>
      all.map((level) => ({ price: price(level.price), amount: amount(level.amount) })),
    cost: (cost: Cost): Cost => {
      const [notional, fees] = [value(cost.notional), value(cost.fees)];
      return {
        amount: amount(cost.amount),
        notional: notional.toFixed(quoteDecimals),
        fees: fees.toFixed(quoteDecimals),
        total: (side === 'BUY' ? notional.plus(fees) : notional.minus(fees)).toFixed(quoteDecimals),
      };
    },
  };
}

const percentOf = (fraction: string): string => new Decimal(fraction).times(100).toFixed();

/** Returns how much worse the average price is than the mid price was, in percent; negative where it is better. */
function slippageOf(isBuy: boolean, average: string | undefined, mid: string | null): string | null {
  if (average === undefined || mid === null) return null;
  const percent = new Decimal(average).dividedBy(mid).minus(1).times(100);
  return (isBuy ? percent : percent.negated()).toDecimalPlaces(6, Decimal.ROUND_HALF_UP).toFixed();
}
