import { Decimal } from '../../../shared/kernel/decimal.js';

export interface PricePoint {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** In reais, with 8 decimals. */
  readonly value: string;
  /** Whether the engine made it with a projected index number. */
  readonly projected: boolean;
}

/** Difference between the issuer's and the trustee firm's price. Null without an issuer's price. */
interface PriceDifference {
  /** In reais, with 8 decimals. */
  readonly difference: Decimal | null;
  /** Relative to the trustee firm's price, in percent, exact. */
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
