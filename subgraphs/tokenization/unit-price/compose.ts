import { type Decimal, round, truncate } from '../../../shared/kernel/decimal.js';

/** Combines DI and spread: `round(diFactor × spreadFactor, 9)`. A factor of 1 leaves the other unchanged. */
export function interestFactor(diFactor: Decimal, spreadFactor: Decimal): Decimal {
  return round(diFactor.times(spreadFactor), 9);
}

/** The values of one unit on a day, in reais with 8 decimals. */
export interface UnitValues {
  /** Updated nominal value ("VNA"): the clean price. */
  readonly vna: Decimal;
  /** Interest accrued on it ("J"). */
  readonly interestJ: Decimal;
  /** The sum of both: the dirty price, before any payment of the day. */
  readonly unitPrice: Decimal;
}

/** Returns the values of a unit from its factors: `vna = trunc(vne × C, 8)`, `j = trunc(vna × (factor - 1), 8)`, `price = vna + j`. */
export function compose(unit: {
  /** Nominal value at the start of the period ("VNE"). */
  readonly vne: Decimal;
  readonly indexFactor: Decimal;
  readonly interestFactor: Decimal;
}): UnitValues {
  const vna = truncate(unit.vne.times(unit.indexFactor), 8);
  const interestJ = truncate(vna.times(unit.interestFactor.minus(1)), 8);
  return { vna, interestJ, unitPrice: vna.plus(interestJ) };
}

/** Returns a percentage of a value, exact: amortization is not truncated. */
export function percentageOf(value: Decimal, percentage: Decimal): Decimal {
  return value.times(percentage).div(100);
}
