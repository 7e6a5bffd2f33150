/**
 * Brazilian tax ids: CPF (a person, 11 digits) and CNPJ (a company, 14 characters).
 *
 * Sources of the rules: check digits modulo 11 as published by Receita Federal; since July 2026 the first twelve characters of a CNPJ may also be
 * letters (Instrução Normativa RFB 2.229/2024), each counting as its ASCII code minus 48, so that one computation serves the numeric and the
 * alphanumeric form. The check digits remain digits.
 */
export type DocumentKind = 'CPF' | 'CNPJ';

const separators = /[.\-/\s]/g;
/** The pattern of each kind, without separators; the check digits may still be wrong. */
export const taxIdForms: Readonly<Record<DocumentKind, RegExp>> = {
  CPF: /^[0-9]{11}$/,
  CNPJ: /^[0-9A-Z]{12}[0-9]{2}$/,
};
export const taxIdForm = /^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$/;
const oneCharacter = /^(.)\1*$/;

/** Returns the tax id without separators and in upper case: `12.abc.345/01DE-35` becomes `12ABC34501DE35`. Does not validate it. */
export function bareDocument(text: string): string {
  return text.replace(separators, '').toUpperCase();
}

/** Returns the kind of a valid tax id; undefined when its form or its check digits are wrong. Separators and case do not matter. */
export function documentKind(text: string): DocumentKind | undefined {
  const bare = bareDocument(text);
  if (isCpf(bare)) return 'CPF';
  return isCnpj(bare) ? 'CNPJ' : undefined;
}

/** Whether 11 digits without separators are a CPF. Repeated digits pass the check-digit rule but are never issued. */
export function isCpf(bare: string): boolean {
  return taxIdForms.CPF.test(bare) && !oneCharacter.test(bare) && bare.endsWith(cpfCheckDigits(bare.slice(0, 9)));
}

/** Whether 14 characters without separators are a CNPJ, numeric or alphanumeric. */
export function isCnpj(bare: string): boolean {
  return taxIdForms.CNPJ.test(bare) && !oneCharacter.test(bare) && bare.endsWith(cnpjCheckDigits(bare.slice(0, 12)));
}

/** A CPF within a text: no other digit beside it, and at most one character between its groups. */
const cpfInText = /(?<!\d)\d{3}[^0-9a-z]?\d{3}[^0-9a-z]?\d{3}[^0-9a-z]?\d{2}(?!\d)/giu;

/** Replaces each valid CPF within a text, also beside letters: `CT52998224725-1`. `replacement` gets its 11 digits. */
export function replaceCpfs(text: string, replacement: (cpf: string) => string): string {
  return text.replace(cpfInText, (found) => {
    const digits = found.replace(/\D/g, '');
    return isCpf(digits) ? replacement(digits) : found;
  });
}

/** The two check digits of the first nine digits of a CPF. */
export function cpfCheckDigits(base: string): string {
  return twoCheckDigits(base, 11);
}

/** The two check digits of the first twelve characters of a CNPJ. */
export function cnpjCheckDigits(base: string): string {
  return twoCheckDigits(base, 9);
}

/** Formats a valid tax id as it is printed: `123.456.789-09`, `12.ABC.345/01DE-35`. Returns anything else unchanged. */
export function formatDocument(text: string): string {
  const bare = bareDocument(text);
  const kind = documentKind(bare);
  if (kind === 'CPF') return bare.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  if (kind === 'CNPJ') return bare.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
  return text;
}

/** Masks all but the last four characters of a tax id, as `***.***.*89-09`; a CNPJ keeps its own punctuation. */
export function maskDocument(text: string): string {
  const bare = bareDocument(text);
  const end = `${bare.slice(-4, -2)}-${bare.slice(-2)}`;
  return bare.length > 11 ? `**.***.***/**${end}` : `***.***.*${end}`;
}

/** Tax ids as they are printed, or with other or no separators between their groups; the check digits confirm a match. */
const documentForms = [
  /(?<![0-9a-z])\d{3}[.\-/\s]?\d{3}[.\-/\s]?\d{3}[.\-/\s]?\d{2}(?![0-9a-z])/gi,
  /(?<![0-9a-z])[0-9a-z]{2}[.\-/\s]?[0-9a-z]{3}[.\-/\s]?[0-9a-z]{3}[.\-/\s]?[0-9a-z]{4}[.\-/\s]?\d{2}(?![0-9a-z])/gi,
];

/** Masks every valid tax id in a text, whether the whole text or part of a sentence, except for its last digits. */
export function maskDocumentsIn(text: string): string {
  if (documentKind(text) !== undefined) return maskDocument(text);
  return documentForms.reduce(
    (masked, form) =>
      masked.replace(form, (found) => (documentKind(found) === undefined ? found : maskDocument(found))),
    text,
  );
}

/** Weights 2, 3, … from the right, restarting at 2 after `highest`; a remainder of 10 counts as 0. */
function twoCheckDigits(base: string, highest: number): string {
  const first = checkDigit(base, highest);
  return `${first}${checkDigit(`${base}${first}`, highest)}`;
}

function checkDigit(text: string, highest: number): number {
  let total = 0;
  let weight = 2;
  for (let at = text.length - 1; at >= 0; at--) {
    total += (text.charCodeAt(at) - 48) * weight;
    weight = weight === highest ? 2 : weight + 1;
  }
  return ((total * 10) % 11) % 10;
}
