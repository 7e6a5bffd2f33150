/**
 * How a file writes its numbers: with a point before the decimals (`1234.56`), or as Brazil does (`1.234,56`). One number
 * alone may not tell: `1.234` is either. So a file is looked through first, and one whose numbers never tell is refused.
 */
export type NumberStyle = 'plain' | 'brazilian';

const plainForm = /^-?\d+(\.\d+)?$/;
const brazilianForm = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
// What has this form in both styles, with two meanings. Brazilian groups never begin with a zero: 0.125 is plain.
const eitherForm = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Which style a number is written in; `both` when it reads alike, `either` when it reads differently, none when it is no number. */
export function styleOfNumber(text: string): NumberStyle | 'both' | 'either' | 'none' {
  if (eitherForm.test(text)) return 'either';
  const [plain, brazilian] = [plainForm.test(text), brazilianForm.test(text)];
  if (plain && brazilian) return text.includes('.') ? 'plain' : 'both';
  if (plain) return 'plain';
  return brazilian ? 'brazilian' : 'none';
}

/** A Brazilian number in plain form. Anything else comes back as it is, and is refused where it is read. */
export function plainNumber(text: string): string {
  return brazilianForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}
