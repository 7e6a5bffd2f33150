import { type Decimal, round, truncate } from '../../../shared/decimal.js';

/** DI and spread together: `round(diFactor × spreadFactor, 9)`. A factor of 1 leaves the other as it is. */
export function interestFactor(diFactor: Decimal, spreadFactor: Decimal): Decimal {
  return round(diFactor.times(spreadFactor), 9);
}

/** The values of one unit on a day, in reais with 8 decimals. */
export interface UnitValues {
  /** Updated nominal value, "VNA"; the clean price. */
  readonly vna: Decimal;
  /** Interest accrued on it, "J". */
  readonly interestJ: Decimal;
  /** Both: the dirty price, before any payment of the day. */
  readonly unitPrice: Decimal;
}

/** The values of a unit from its factors: `vna = trunc(vne × C, 8)`, `j = trunc(vna × (factor - 1), 8)`, `price = vna + j`. */
export function compose(unit: {
  /** Nominal value at the start of the period, "VNE". */
  readonly vne: Decimal;
  readonly indexFactor: Decimal;
  readonly interestFactor: Decimal;
}): UnitValues {
  const vna = truncate(unit.vne.times(unit.indexFactor), 8);
  const interestJ = truncate(vna.times(unit.interestFactor.minus(1)), 8);
  return { vna, interestJ, unitPrice: vna.plus(interestJ) };
}

/** A percentage of a value, exact: amortization is not truncated. */
export function percentageOf(value: Decimal, percentage: Decimal): Decimal {
  return value.times(percentage).div(100);
}
