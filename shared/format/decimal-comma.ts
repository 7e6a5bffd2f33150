const commaForm = /^-?(\d{1,40}|\d{1,3}(\.\d{3}){1,12}),\d{1,40}$/;

/** Returns the canonical form of a number written with a decimal comma: `1234.56` for `1.234,56`. Undefined for any other text. */
export function withoutDecimalComma(text: string): string | undefined {
  return commaForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;
}
