import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { withinFunds } from '../ledger/within-funds.js';
import { requireWithinLimits } from './order-limits.js';
import { isClientOrderIdUsed } from './order.store.js';
import { holdOf, type HoldOf } from './order.js';
import { endingOf } from './plan-order.js';
import { feesOf, heldFor, usedBefore, worstOf, type Placing } from './place-order.js';

/**
 * Judges an order that the house cannot execute as the books allow by what the client has, before the client learns of it: with the errors of an order that the
 * house can execute, in their order.
 * @throws {ApiError} UNPROCESSABLE beyond a limit; CONFLICT for a client order id that the wallet has used; INSUFFICIENT_BALANCE
 */
export async function requireWanted(context: Context, placing: Placing): Promise<void> {
  const { desk, wallet, market, request, planned } = placing;
  const { wanted, result } = planned;
  // Otherwise the transaction that places it judges the same.
  if (wanted.kind === 'PLAN' && wanted === result) return;
  if (wanted.kind === 'PLAN') {
    const order = {
      companyId: wallet.companyId,
      walletId: wallet.id,
      synthetic: wallet.synthetic,
      quote: market.quote,
    };
    await requireWithinLimits(context, desk, wallet.terms, order, worstOf(wanted, request).notional);
  }
  if (request.clientOrderId !== null && (await isClientOrderIdUsed(context, wallet.id, request.clientOrderId)))
    throw usedBefore(request.clientOrderId);
  await requireMeans(context, placing);
}

/**
 * Requires that a wallet appears to have the funds for an order as the books allow it, whatever funds the house has. Nothing is locked: the ledger decides when it is
 * placed.
 * @throws {ApiError} INSUFFICIENT_BALANCE; those of `endingOf`
 */
export async function requireMeans(context: Context, placing: Placing): Promise<void> {
  const { id: walletId, synthetic } = placing.wallet;
  const needed = neededFor(placing);
  if (needed === undefined) return;
  const [isFunded] = await withinFunds(context, [{ walletId, synthetic, ...needed }]);
  if (isFunded !== true) throw new ApiError('INSUFFICIENT_BALANCE');
}

/** Returns what a client must have for an order; for one that ends at once the least that it would have cost. Undefined where there is no price. */
function neededFor(placing: Placing): HoldOf | undefined {
  const { market, request, planned } = placing;
  const { wanted } = planned;
  if (wanted.kind === 'PLAN') return heldFor(placing, wanted);
  endingOf(wanted, request);
  const { size, side } = request;
  if ('quoteAmount' in size) return { currency: market.quote, amount: size.quoteAmount };
  const price = request.price ?? wanted.mid;
  if (side === 'SELL') return { currency: market.base, amount: size.amount };
  if (price === undefined) return undefined;
  return holdOf(side, market, { amount: size.amount, notional: size.amount.times(price) }, feesOf(placing));
}
