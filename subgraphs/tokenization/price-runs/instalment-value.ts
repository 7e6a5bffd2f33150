import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';

/** Amounts that an instalment pays for all units of a series, in reais with 2 decimals. */
export interface InstalmentValue {
  readonly interestValue: string;
  readonly principalValue: string;
}

/**
 * Computes the amounts of an instalment from the price of the day up to which it accrues. The interest and the amortization
 * of a unit are truncated at 8 decimals, multiplied by the quantity of units, and truncated at 2; neither is below zero,
 * whatever the rate was. Source: B3, *Caderno de Fórmulas* of Cetip21: unit values have 8 decimals without rounding, and
 * the financial value is the unit value times the quantity.
 * @throws {RangeError} for a sum that no column can hold
 */
export function instalmentValue(
  row: Pick<UnitPriceRow, 'date' | 'payment' | 'amortization'>,
  quantity: string,
): InstalmentValue {
  const ofAll = (unit: Decimal) => {
    const value = truncate(truncate(Decimal.max(unit, 0), 8).times(quantity), 2);
    if (value.gte('1e17'))
      throw new RangeError(`The payment of the instalment of ${row.date} is too large to be stored`);
    return value.toFixed(2);
  };
  return { interestValue: ofAll(row.payment.minus(row.amortization)), principalValue: ofAll(row.amortization) };
}
