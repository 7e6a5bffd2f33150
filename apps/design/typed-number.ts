import { formatsOf, type LanguageCode } from './formats.js';

const forms: Readonly<Record<LanguageCode, RegExp>> = {
  'pt-BR': /^(?<whole>\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(?<decimals>\d{1,20}))?$/,
  en: /^(?<whole>\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(?<decimals>\d{1,20}))?$/,
};
/** A number with the marks that the pages write: `R$ 1.500,00`, `0,01 BTC`, `5%`. */
const marks = /^(?<minus>-?)(?:(?<before>R\$) *)?(?<number>[\d.,]+)(?: *(?<after>%|[A-Z]\w{1,11}))?$/;

/** Reads `1.500,00` or `1,500.00`. @param unit the only one that may stand beside the number @returns it as the graph takes it; undefined for anything else */
export function readNumber(typed: string, language: LanguageCode, unit?: string): string | undefined {
  const text = typed.replace(/\s/g, ' ').trim().replace('\u2212', '-');
  const { minus = '', before, number = '', after } = marks.exec(text)?.groups ?? {};
  if (before !== undefined && unit !== 'BRL') return undefined;
  if (after !== undefined && after !== unit) return undefined;
  const { whole, decimals } = forms[language].exec(number)?.groups ?? {};
  if (whole === undefined) return undefined;
  return `${minus}${whole.replace(/[.,]/g, '')}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** Writes a number of the graph as a field shows it, with the decimals that it has; a text that is none stays as it is. */
export function writeNumber(value: string, language: LanguageCode): string {
  return formatsOf(language).decimal(value, /\.(\d{1,20})$/.exec(value)?.[1]?.length ?? 0);
}
