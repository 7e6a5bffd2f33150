import { Decimal } from '../../../shared/decimal.js';

/** How far the issuer's price is from the trustee firm's. Null where there is nothing to compare with. */
export interface PriceDifference {
  /** In reais, with 8 decimals. */
  readonly difference: Decimal | null;
  /** Over the trustee firm's price, in percent, exact. */
  readonly percent: Decimal | null;
}

export function compareTrusteePrice(price: {
  readonly issuerValue: string | null;
  readonly trusteeValue: string;
}): PriceDifference {
  if (price.issuerValue === null) return { difference: null, percent: null };
  const trustee = new Decimal(price.trusteeValue);
  const difference = new Decimal(price.issuerValue).minus(trustee);
  return { difference, percent: trustee.isZero() ? null : difference.times(100).div(trustee) };
}
