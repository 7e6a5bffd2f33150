import { isCnpj, isCpf } from '../../../../shared/tax-id.js';

/** The kinds of PIX keys (Banco Central do Brasil, Manual Operacional do DICT). */
export type PixKeyKind = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'EVP';

const email =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
/** Of country 55 an area code without zeros, and 8 digits, or 9 of a mobile that begin with 9; of others any number (E.164). */
const phone = /^\+(?:55[1-9]{2}(?:[2-8][0-9]{7}|9[0-9]{8})|(?!55)[1-9][0-9]{2,15})$/;
const randomKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const longestEmail = 77;

/** Returns the kind of a canonical PIX key; undefined if the text is none. */
export function pixKeyKind(key: string): PixKeyKind | undefined {
  if (isCpf(key)) return 'CPF';
  if (isCnpj(key)) return 'CNPJ';
  if (phone.test(key)) return 'PHONE';
  if (randomKey.test(key)) return 'EVP';
  return key.length <= longestEmail && email.test(key) ? 'EMAIL' : undefined;
}

/** Returns a PIX key as the directory stores it: e-mails and random keys in lower case. */
export function canonicalPixKey(text: string): string | undefined {
  const key = /[@-]/.test(text) ? text.toLowerCase() : text;
  return pixKeyKind(key) === undefined ? undefined : key;
}
