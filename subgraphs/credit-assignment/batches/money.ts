import { Decimal } from '../../../shared/kernel/decimal.js';
import { brokenRule } from './broken-rule.js';

const most = new Decimal('999999999999.99');
/** Bounds the written decimals: to a Portuguese writer, `150.000` is a hundred and fifty thousand. */
const amountForm = /^-?\d{1,40}(\.\d{1,2})?$/;

export const moneyForm = brokenRule(
  'AMOUNT_FORM',
  'must be a number with at most 2 decimals (1500.50, or in CSV 1500,50 or 1.500,50), at most 999999999999.99',
  'deve ser um número com no máximo 2 casas decimais (1500.50, ou em CSV 1500,50 ou 1.500,50), até 999999999999.99',
);
export const positive = brokenRule('AMOUNT_NOT_POSITIVE', 'must be greater than 0', 'deve ser maior que 0');

/** Whether sums count a text: an amount in BRL that is not below 0. */
export const isSummed = (text: string): boolean => isMoney(text) && !text.startsWith('-');

/** Whether a text is an amount in BRL, of either sign. */
export function isMoney(text: string): boolean {
  return amountForm.test(text) && new Decimal(text).abs().lessThanOrEqualTo(most);
}
