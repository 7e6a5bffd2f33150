import { formatsOf, type Formats, type LanguageCode } from '../design/formats.js';
import { english } from './messages/en.js';
import { portuguese, type Messages } from './messages/pt-BR.js';

/** A language of the pages: its texts, and how it writes numbers, money and days. A missing value is a dash. */
export interface Locale extends Formats {
  readonly code: LanguageCode;
  /** What the addresses of its pages begin with. */
  readonly prefix: '' | '/en';
  /** Its name on the graph. */
  readonly graph: 'PT_BR' | 'EN';
  readonly name: string;
  readonly text: Messages;
}

function createLocale(settings: Omit<Locale, keyof Formats>): Locale {
  return { ...settings, ...formatsOf(settings.code) };
}

export const locales: readonly [Locale, Locale] = [
  createLocale({ code: 'pt-BR', prefix: '', graph: 'PT_BR', name: 'Português', text: portuguese }),
  createLocale({ code: 'en', prefix: '/en', graph: 'EN', name: 'English', text: english }),
];

/** Returns the language of an address. */
export function localeOf(path: string): Locale {
  const [usual, other] = locales;
  return /^\/en(?:\/|\?|$)/.test(path) ? other : usual;
}

interface Remuneration {
  readonly indexer: string;
  readonly indexerLabel: string;
  readonly indexerPercent: string;
  readonly rate: string;
}

/** Writes what a series pays, as `CDI + 3.67% p.a.` or `110% of CDI`. */
export function remunerationOf(locale: Locale, { indexer, indexerLabel, indexerPercent, rate }: Remuneration): string {
  const [yearly, of] = locale.code === 'en' ? ['p.a.', 'of '] : ['a.a.', 'do '];
  const spread = `${locale.percent(rate)} ${yearly}`;
  if (indexer === 'PREFIXED') return spread;
  const index =
    Number(indexerPercent) === 100
      ? indexerLabel
      : `${locale.decimal(indexerPercent.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))}% ${of}${indexerLabel}`;
  return Number(rate) === 0 ? index : `${index} + ${spread}`;
}

/** Writes what the series of an operation pay, each once. */
export const remunerationsOf = (locale: Locale, series: readonly Remuneration[]) =>
  [...new Set(series.map((one) => remunerationOf(locale, one)))].join(' / ');

/** Writes what a tokenized series pays. */
export function trancheRemunerationOf(
  locale: Locale,
  tranche: {
    readonly indexer: string;
    readonly indexerLabel: string;
    readonly diPercentage: string | null;
    readonly remunerationPercentagePerYear: string;
  },
): string {
  const { indexer, indexerLabel, diPercentage, remunerationPercentagePerYear: rate } = tranche;
  return remunerationOf(locale, { indexer, indexerLabel, indexerPercent: diPercentage ?? '100', rate });
}
