/** How a language writes numbers, money and days. A missing value is a dash. */
export interface Formats {
  /** Writes an amount of BRL; with all decimals that a unit price has. */
  readonly money: (value: string | null, decimals?: number) => string;
  /** Writes a decimal with the decimals that it has, or with the given number of them. */
  readonly decimal: (value: string | number | null, decimals?: number) => string;
  /** Writes a count, with a `+` where there are more than were read. */
  readonly counted: (count: number, hasMore?: boolean) => string;
  readonly percent: (value: string | null, decimals?: number) => string;
  readonly date: (value: string | null) => string;
  readonly month: (value: string) => string;
  readonly moment: (value: string | null) => string;
}

export type LanguageCode = 'pt-BR' | 'en';
const isNumber = (value: string): value is `${number}` => /^-?\d+(\.\d+)?$/.test(value);
const absent = '—';

export function formatsOf(code: LanguageCode): Formats {
  const exactly = byDecimals((decimals) => new Intl.NumberFormat(code, digits(decimals)));
  const money = byDecimals(
    (decimals) => new Intl.NumberFormat(code, { style: 'currency', currency: 'BRL', ...digits(decimals) }),
  );
  const asWritten = new Intl.NumberFormat(code, { maximumFractionDigits: 20 });
  const months = new Intl.DateTimeFormat(code, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(code, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  });
  const day = dayFormat(code);
  return {
    money: (value, decimals = 2) => written(value, money(decimals)),
    decimal: (value, decimals) => written(value, decimals === undefined ? asWritten : exactly(decimals)),
    counted: (count, hasMore) => `${asWritten.format(count)}${hasMore === true ? '+' : ''}`,
    percent: (value, decimals = 2) => (value === null ? absent : `${written(value, exactly(decimals))}%`),
    date: (value) => (value === null ? absent : day(value)),
    month: (value) => months.format(new Date(`${value}-01T00:00:00Z`)),
    moment: (value) => (value === null ? absent : moments.format(new Date(value))),
  };
}

function written(value: string | number | null, format: Intl.NumberFormat): string {
  if (value === null) return absent;
  const text = String(value);
  return isNumber(text) ? format.format(text) : text;
}

const digits = (decimals: number) => ({ minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** Makes each format once: making one costs far more than writing a number with it. */
function byDecimals(make: (decimals: number) => Intl.NumberFormat): (decimals: number) => Intl.NumberFormat {
  const made: Intl.NumberFormat[] = [];
  return (decimals) => (made[decimals] ??= make(decimals));
}

/** Returns how a language writes a day, from the parts that `Intl` writes once for each month: a chart has a thousand days. */
function dayFormat(code: LanguageCode): (value: string) => string {
  const format = new Intl.DateTimeFormat(code, { ...dayForms[code], timeZone: 'UTC' });
  const parts = Array.from({ length: 12 }, (_none, month) => format.formatToParts(Date.UTC(2024, month, 1)));
  const shortest = dayForms[code].day === '2-digit' ? 2 : 1;
  return (value) => {
    const [year = '', month = '', day = ''] = value.slice(0, 10).split('-');
    const own = { year, day: String(Number(day)).padStart(shortest, '0') };
    return (parts[Number(month) - 1] ?? [])
      .map((part) => (part.type === 'year' || part.type === 'day' ? own[part.type] : part.value))
      .join('');
  };
}

const dayForms: Readonly<Record<LanguageCode, Intl.DateTimeFormatOptions>> = {
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
};

/** Texts of names of the program, which are English: `createApiKey` as “Create api key”. */
export function inWords<Name extends string>(texts: Readonly<Record<Name, string>>): Record<Name, string> {
  const worded = (name: string) =>
    name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.fromEntries(Object.keys(texts).map((name) => [name, worded(name)])) as Record<Name, string>;
}
