const commaForm = /^-?(\d{1,40}|\d{1,3}(\.\d{3}){1,12}),\d{1,40}$/;

/** The right form of a number that was written with a decimal comma: `1234.56` of `1.234,56`. Undefined for any other text. */
export function withoutDecimalComma(text: string): string | undefined {
  return commaForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;
}
