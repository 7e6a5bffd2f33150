import { Decimal, round } from '../decimal.js';

/** Display strings, made only at the edge of a domain; inside it values are decimals and civil dates. Rounding is half away from zero. */

/** Shown in place of a missing value. */
export const absent = '—';

/** Formats a decimal with `places` decimals, comma and thousands separators: `1.234.567,89`. Never `-0`. */
export function formatNumber(value: Decimal | string | number, places: number): string {
  const rounded = round(new Decimal(value), places);
  const [whole = '0', fraction] = rounded.abs().toFixed(places).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  const sign = rounded.isNegative() && !rounded.isZero() ? '-' : '';
  return fraction === undefined ? `${sign}${grouped}` : `${sign}${grouped},${fraction}`;
}

/** Formats an amount in reais: `R$ 1.234.567,89`, `-R$ 0,50`. A unit price has 8 places. */
export function formatCurrency(value: Decimal | string, places = 2): string {
  const text = formatNumber(value, places);
  return text.startsWith('-') ? `-R$ ${text.slice(1)}` : `R$ ${text}`;
}

/** Formats a percentage given in percent: 3.5 becomes `3,50%`. */
export function formatPercent(value: Decimal | string, places = 2): string {
  return `${formatNumber(value, places)}%`;
}

/** Formats a contractual rate without rounding away agreed digits: at least two decimals, at most eight. */
export function formatRate(value: Decimal | string): string {
  const rate = new Decimal(value);
  return formatPercent(rate, Math.min(8, Math.max(2, rate.decimalPlaces())));
}

/** Formats a civil date, `2026-12-31`, as `31/12/2026`. */
export function formatDate(day: string): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;
}

/** Formats the month of a civil date or of `2026-12` as `12/2026`. */
export function formatMonth(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(0, 4)}`;
}

/** Formats a value that may be missing; `absent` is shown for null. */
export function shown<T>(value: T | null, format: (value: T) => string): string {
  return value === null ? absent : format(value);
}

/** Formats a percentage with all its digits and at least 2 decimals: `12.50`, `0.12345678`. */
export function percentageText(stored: string): string {
  const value = new Decimal(stored);
  return value.toFixed(Math.max(2, value.dp()));
}

const commaForm = /^-?(0|[1-9]\d{0,39}|[1-9]\d{0,2}(\.\d{3}){1,12}),\d{1,40}$/;

/** Returns the canonical form of a number written with a decimal comma: `1234.56` for `1.234,56`. Undefined for any other text. */
export function withoutDecimalComma(text: string): string | undefined {
  return commaForm.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined;
}
