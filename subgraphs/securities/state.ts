/** The federative units of Brazil (UF). */
export const states = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ');

// Source: Correios, "Faixas de CEP": the first five digits with which the codes of a state begin.
const firstCodes =
  '01000 SP 20000 RJ 29000 ES 30000 MG 40000 BA 49000 SE 50000 PE 57000 AL 58000 PB 59000 RN 60000 CE 64000 PI 65000 MA 66000 PA 68900 AP 69000 AM 69300 RR 69400 AM 69900 AC 70000 DF 72800 GO 73000 DF 73700 GO 76800 RO 77000 TO 78000 MT 79000 MS 80000 PR 88000 SC 90000 RS';
const ranges = [...firstCodes.matchAll(/(\d{5}) (..)/g)].map(([, first = '', state = '']) => ({ first, state }));

/** Returns the state of a postal code (CEP) of eight digits; undefined for what is none. */
export function stateOfPostalCode(code: string): string | undefined {
  return /^\d{8}$/.test(code) ? ranges.findLast(({ first }) => first <= code)?.state : undefined;
}
