const commaForm = /^-?(0|[1-9]\d{0,39}|[1-9]\d{0,2}(\.\d{3}){1,12}),\d{1,40}$/;

/** Returns the canonical form of a number written with a decimal comma: `1234.56` for `1.234,56`. Undefined for any other text. */
export function withoutDecimalComma(text: string): string | undefined {
  return commaForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;
}
