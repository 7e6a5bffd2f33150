import type { PlaceResult, RejectReason, VenueMarket, VenueOrderRequest } from '../venue.js';

export function rejected(reason: RejectReason, message: string): Extract<PlaceResult, { status: 'REJECTED' }> {
  return { status: 'REJECTED', reason, message };
}

/** Returns the error of an order by the rules of its market; undefined if there is none. */
export function checkOrder(
  market: VenueMarket | undefined,
  { symbol, type, amount, price, timeInForce, postOnly }: VenueOrderRequest,
): ReturnType<typeof rejected> | undefined {
  if (market === undefined) return rejected('INVALID', `There is no market ${symbol}`);
  if ((type === 'LIMIT') !== (price !== undefined)) {
    return rejected('INVALID', 'A LIMIT order must have a price, and a MARKET order must have none');
  }
  if (type === 'MARKET' && timeInForce !== 'IOC') return rejected('INVALID', 'A MARKET order must be IOC');
  if (postOnly && timeInForce !== 'GTC') return rejected('INVALID', 'A post-only order must be GTC');
  if (!amount.greaterThan(0) || amount.decimalPlaces() > market.amountDecimals) {
    return rejected('INVALID', `The amount must be greater than 0, with at most ${market.amountDecimals} decimals`);
  }
  if (price !== undefined && (!price.greaterThan(0) || price.decimalPlaces() > market.priceDecimals)) {
    return rejected('INVALID', `The price must be greater than 0, with at most ${market.priceDecimals} decimals`);
  }
  if (amount.lessThan(market.minAmount)) {
    return rejected('BELOW_MINIMUM', `The minimum amount is ${market.minAmount.toFixed()} ${market.base}`);
  }
  return undefined;
}
