import { Decimal } from '../../../shared/decimal.js';
import { brokenRule } from './broken-rule.js';

const most = new Decimal('999999999999.99');
const decimalForm = /^-?\d{1,40}(\.\d{1,40})?$/;

/** The form of amounts. */
export const moneyForm = brokenRule(
  'AMOUNT_FORM',
  'must be a number with at most 2 decimals, at most 999999999999.99',
  'deve ser um número com no máximo 2 casas decimais, até 999999999999.99',
);
/** The sign of amounts. */
export const positive = brokenRule('AMOUNT_NOT_POSITIVE', 'must be greater than 0', 'deve ser maior que 0');

/** Whether a text is an amount in BRL, of either sign. */
export function isMoney(text: string): boolean {
  if (!decimalForm.test(text)) return false;
  const value = new Decimal(text);
  return value.decimalPlaces() <= 2 && value.lessThanOrEqualTo(most);
}
