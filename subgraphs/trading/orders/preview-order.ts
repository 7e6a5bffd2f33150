import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { formatAmount } from '../format-amount.js';
import { requireActive, requireWallet, type WalletChoice } from '../profiles/require-wallet.js';
import type { OrderParts } from './create-order.js';
import { readOrder, type OrderInput, type RequestedOrder } from './order-input.js';
import { averagePriceOf } from './order.js';
import { feesOf, heldFor } from './place-order.js';
import { endingOf, planOrder, type Ending } from './plan-order.js';
import { requireMeans } from './require-means.js';
import type { RoutePlan } from '../routing/routing.js';

/** What an order would do by the present books. Amounts are decimal text. */
export interface OrderPreview {
  /** How it would end at once without reaching a venue; undefined when it would be placed. */
  readonly ending: Ending | undefined;
  /** What is expected to be executed at once, in the base and the quote currency. */
  readonly amount: string;
  readonly notional: string;
  readonly averagePrice: string | null;
  /** Worst price that any part of it can have. */
  readonly worstPrice: string | null;
  readonly slippagePercent: string | null;
  /** The company's fee on what is expected to be executed at once. */
  readonly fee: string;
  readonly feeCurrency: string;
  /** What would be set aside; null when the order would not be placed. */
  readonly hold: { readonly currency: string; readonly amount: string } | null;
}

/**
 * Routes an order by the present books as `createOrder` does, and writes nothing: books move, so what is executed can differ.
 * @throws {ApiError} those of `createOrder`, except those about agreed limits and the client order id
 */
export async function previewOrder(
  context: Context,
  { desk, catalogue }: OrderParts,
  choice: WalletChoice,
  input: OrderInput,
): Promise<OrderPreview> {
  const wallet = await requireWallet(context, choice);
  requireActive(wallet);
  const market = await catalogue.requireActive(context, input.symbol, wallet.synthetic);
  const fee = feesOf({ desk, wallet, market });
  const request = readOrder(input, market, { fee, now: context.clock.now() });
  const planned = planOrder(desk, request, market, wallet.synthetic);
  await requireMeans(context, { desk, wallet, market, request, planned });
  const { result } = planned;
  const { priceDecimals } = market;
  const [baseDecimals, quoteDecimals] = [desk.decimals(market.base), fee.decimals];
  if (result.kind === 'REFUSED')
    return {
      ending: endingOf(result, request),
      amount: formatAmount('0', baseDecimals),
      notional: formatAmount('0', quoteDecimals),
      averagePrice: null,
      worstPrice: null,
      slippagePercent: null,
      fee: formatAmount('0', quoteDecimals),
      feeCurrency: market.quote,
      hold: null,
    };
  const { amount, notional } = result.expected;
  const held = heldFor({ desk, wallet, market, request }, result);
  return {
    ending: undefined,
    amount: formatAmount(amount, baseDecimals),
    notional: formatAmount(notional, quoteDecimals),
    averagePrice: averagePriceOf({ filledAmount: amount, exactValue: notional, priceDecimals }) ?? null,
    worstPrice: formatAmount(worstPriceOf(request, result), priceDecimals),
    slippagePercent: result.slippagePercent?.toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed() ?? null,
    fee: notional.times(wallet.terms.takerFee).dividedBy(100).toFixed(quoteDecimals, Decimal.ROUND_DOWN),
    feeCurrency: market.quote,
    hold: { currency: held.currency, amount: formatAmount(held.amount, desk.decimals(held.currency)) },
  };
}

/** Returns the limit of the order, or the worst price that a part of it can have in any round. */
function worstPriceOf({ price }: RequestedOrder, { worstPrice }: RoutePlan): Decimal {
  return price ?? worstPrice;
}
