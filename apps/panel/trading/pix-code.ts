const taxIdKey = /^(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2})$/;
const phoneKey = /^\+[\d\s().-]+$/;

/** Returns a CPF or CNPJ, or a telephone number, without the punctuation with which people write it. */
export const withoutPunctuation = (typed: string) => typed.replace(/[\s()./-]/g, '');

/** Returns a PIX key as the directory has it. Only CPF, CNPJ and numbers with a country code lose punctuation: other digits could be somebody's CPF. */
export const pixKeyOf = (typed: string) =>
  taxIdKey.test(typed) || phoneKey.test(typed) ? withoutPunctuation(typed) : typed;

/** Writes a field of the code: its number, its length and its value. */
const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** Returns the ASCII letters of a text, up to a length, as the code requires. */
const plain = (text: string, length: number) =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, length);

/** Static PIX code without amount (Banco Central do Brasil, Manual de Padrões para Iniciação do Pix, BR Code). @param name the recipient */
export function pixCode(key: string, name: string): string {
  const account = field('26', field('00', 'br.gov.bcb.pix') + field('01', key));
  const receiver = field('59', plain(name, 25)) + field('60', 'BRASILIA');
  const text = `${field('00', '01')}${account}${field('52', '0000')}${field('53', '986')}${field('58', 'BR')}${receiver}${field('62', field('05', '***'))}6304`;
  return text + checksumOf(text);
}

/** CRC-16/CCITT-FALSE. */
function checksumOf(text: string): string {
  let sum = 0xffff;
  for (const letter of text) {
    sum ^= letter.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1;
  }
  return (sum & 0xffff).toString(16).toUpperCase().padStart(4, '0');
}
