/** How a language writes numbers, money and days. A missing value is a dash. */
export interface Formats {
  /** Writes an amount of BRL; with all decimals that a unit price has. */
  readonly money: (value: string | null, decimals?: number) => string;
  /** Writes a decimal with the decimals that it has, or with the given number of them. */
  readonly decimal: (value: string | number | null, decimals?: number) => string;
  readonly percent: (value: string | null, decimals?: number) => string;
  readonly date: (value: string | null) => string;
  readonly month: (value: string) => string;
  readonly moment: (value: string | null) => string;
}

/** A language of the pages, as `lang` names it. */
export type LanguageCode = 'pt-BR' | 'en';

type NumberText = `${number}`;
const isNumber = (value: string): value is NumberText => /^-?\d+(\.\d+)?$/.test(value);
const absent = '—';

export function formatsOf(code: LanguageCode): Formats {
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
    money: (value, decimals = 2) => written(value, { style: 'currency', currency: 'BRL', ...exactly(decimals) }),
    decimal: (value, decimals) =>
      written(value, decimals === undefined ? { maximumFractionDigits: 20 } : exactly(decimals)),
    percent: (value, decimals = 2) => (value === null ? absent : `${written(value, exactly(decimals))}%`),
    date: (value) => (value === null ? absent : days.format(new Date(`${value.slice(0, 10)}T00:00:00Z`))),
    month: (value) => months.format(new Date(`${value}-01T00:00:00Z`)),
    moment: (value) => (value === null ? absent : moments.format(new Date(value))),
  };
}

const dayForms: Readonly<Record<LanguageCode, Intl.DateTimeFormatOptions>> = {
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
};
