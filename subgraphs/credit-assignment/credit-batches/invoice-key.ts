/** The form of the access key of an electronic invoice (NF-e, MOC 7.0 §2.2.6): 44 digits, of which an alphanumeric CNPJ may have letters. */
export const invoiceKeyForm = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/;

export function isInvoiceKey(text: string): boolean {
  return invoiceKeyForm.test(text) && text.endsWith(invoiceCheckDigit(text));
}

/** Returns the check digit of the first 43 characters of a key: modulo 11, with weights 2 to 9 from the right. */
export function invoiceCheckDigit(key: string): string {
  let weighted = 0;
  // A letter counts as its ASCII code minus 48, like in a CNPJ.
  for (let place = 0; place < 43; place += 1) weighted += (key.charCodeAt(42 - place) - 48) * (2 + (place % 8));
  const rest = weighted % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
