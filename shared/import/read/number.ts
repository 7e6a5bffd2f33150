/** `1234.56` or `1.234,56`. `1.234` fits both, so a file is scanned first, and rejected if no number settles it. */
export type NumberStyle = 'plain' | 'brazilian';

const plainForm = /^-?\d+(\.\d+)?$/;
const brazilianForm = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
// Valid in both styles, with two meanings. Brazilian groups never begin with a zero: 0.125 is plain.
const eitherForm = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Returns the style of a number; `both` if its value is the same in either style, `either` if it differs, `none` if it is not a number. */
export function styleOfNumber(text: string): NumberStyle | 'both' | 'either' | 'none' {
  if (eitherForm.test(text)) return 'either';
  const [plain, brazilian] = [plainForm.test(text), brazilianForm.test(text)];
  if (plain && brazilian) return text.includes('.') ? 'plain' : 'both';
  if (plain) return 'plain';
  return brazilian ? 'brazilian' : 'none';
}

/** Converts a Brazilian number to plain form. Returns anything else unchanged, to be rejected by its reader. */
export function plainNumber(text: string): string {
  return brazilianForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}
