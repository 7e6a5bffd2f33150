import { Decimal } from '../../shared/kernel/decimal.js';

/**
 * Writes an amount with the decimals of its currency, or a price with those of its market, so that the same value reads the same everywhere. Finer digits, as exchanges
 * may report, are kept.
 */
export function formatAmount(value: Decimal | string, decimals: number): string {
  const amount = new Decimal(value);
  return amount.toFixed(Math.max(decimals, amount.decimalPlaces()));
}
