import { broken } from '../../../../shared/import/import-rules.js';
import { quote, type ValueType } from '../../../../shared/import/model/value.js';

/**
 * Whether a text is an ISIN: two letters of a country, nine characters, and the check digit of ISO 6166 (the characters as
 * numbers, A = 10 … Z = 35, written side by side; then modulus 10 double-add-double, known as Luhn's).
 */
export function isIsin(text: string): boolean {
  return /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(text) && text.endsWith(isinCheckDigit(text.slice(0, 11)));
}

export function isinCheckDigit(base: string): string {
  const digits = base.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let total = 0;
  for (let at = digits.length - 1, double = true; at >= 0; at--, double = !double) {
    const digit = (digits.charCodeAt(at) - 48) * (double ? 2 : 1);
    total += digit > 9 ? digit - 9 : digit;
  }
  return String((10 - (total % 10)) % 10);
}

export const isin: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'ISIN',
  schema: { type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}[0-9]$' },
  read: (value) => (isIsin(value) ? value : { error: broken('ISIN', { value: quote(value) }) }),
};
