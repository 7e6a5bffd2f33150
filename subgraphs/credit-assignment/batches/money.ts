import { Decimal } from '../../../shared/decimal.js';

const most = new Decimal('999999999999.99');
const decimalForm = /^-?\d{1,40}(\.\d{1,40})?$/;

/** The rule for amounts, as the end of a sentence. */
export const moneyRule = 'must be a number with at most 2 decimals, at most 999999999999.99';

/** Whether a text is an amount in BRL, of either sign. */
export function isMoney(text: string): boolean {
  if (!decimalForm.test(text)) return false;
  const value = new Decimal(text);
  return value.decimalPlaces() <= 2 && value.lessThanOrEqualTo(most);
}
