import { english } from './messages/en.js';
import { portuguese, type Messages } from './messages/pt-BR.js';

/** A language of the pages: its texts, and how it writes numbers, money and days. A missing value is a dash. */
export interface Locale {
  readonly code: 'pt-BR' | 'en';
  /** What the addresses of its pages begin with. */
  readonly prefix: '' | '/en';
  /** Its name on the graph. */
  readonly graph: 'PT_BR' | 'EN';
  readonly name: string;
  readonly text: Messages;
  /** Writes an amount of BRL; with all decimals that a unit price has. */
  readonly money: (value: string | null, decimals?: number) => string;
  /** Writes a decimal with the decimals that it has, or with the given number of them. */
  readonly decimal: (value: string | number | null, decimals?: number) => string;
  readonly percent: (value: string | null, decimals?: number) => string;
  readonly date: (value: string | null) => string;
  readonly month: (value: string) => string;
  readonly moment: (value: string | null) => string;
}

type NumberText = `${number}`;
const isNumber = (value: string): value is NumberText => /^-?\d+(\.\d+)?$/.test(value);
const absent = '—';

function createLocale(settings: Pick<Locale, 'code' | 'prefix' | 'graph' | 'name' | 'text'>): Locale {
  const { code } = settings;
  const numbers = new Map<string, Intl.NumberFormat>();
  const written = (value: string | number | null, options: Intl.NumberFormatOptions) => {
    const text = String(value);
    if (value === null || !isNumber(text)) return value === null ? absent : text;
    const key = JSON.stringify(options);
    const format = numbers.get(key) ?? new Intl.NumberFormat(code, options);
    numbers.set(key, format);
    return format.format(text);
  };
  const exactly = (decimals: number) => ({ minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const days = new Intl.DateTimeFormat(code, { ...dayForms[code], timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(code, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(code, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  });
  return {
    ...settings,
    money: (value, decimals = 2) => written(value, { style: 'currency', currency: 'BRL', ...exactly(decimals) }),
    decimal: (value, decimals) =>
      written(value, decimals === undefined ? { maximumFractionDigits: 20 } : exactly(decimals)),
    percent: (value, decimals = 2) => (value === null ? absent : `${written(value, exactly(decimals))}%`),
    date: (value) => (value === null ? absent : days.format(new Date(`${value.slice(0, 10)}T00:00:00Z`))),
    month: (value) => months.format(new Date(`${value}-01T00:00:00Z`)),
    moment: (value) => (value === null ? absent : moments.format(new Date(value))),
  };
}

const dayForms: Readonly<Record<Locale['code'], Intl.DateTimeFormatOptions>> = {
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
};

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

/** Does the same for a tokenized series. */
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
