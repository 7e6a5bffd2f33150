import { Decimal } from '../../../shared/kernel/decimal.js';
import { indexerName, type Indexer } from '../../securities/indexer.js';
import { formatCurrency, formatPercent } from '../../../shared/kernel/format/format.js';
import { agingBands } from '../../securities/aging.js';

/** The same for every operation and every day, so that a value inside its band changes nothing. A band is an integer, ordered by number; each range of bands of a kind has a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the smallest range that contains some bands, of which there is at least one. */
export function rangeOf(bands: Iterable<number>): Range {
  let [from, to] = [Infinity, -Infinity];
  for (const band of bands) [from, to] = [Math.min(from, band), Math.max(to, band)];
  return { from, to };
}

/** Returns a band: amounts with the same leading digit and number of integer digits share one; band 0 is zero, band 1 less than one real. @param amount in BRL, not negative: `412345.67` */
export function amountBand(amount: string): number {
  const [whole = '0'] = amount.split('.');
  const digits = whole.replace(/^0+/, '');
  if (digits === '') return /[1-9]/.test(amount) ? 1 : 0;
  return 1 + (digits.length - 1) * 9 + Number(digits.charAt(0));
}

function amountFrom(band: number): Decimal {
  if (band < 2) return new Decimal(0);
  const place = band - 2;
  return new Decimal(10).pow(Math.floor(place / 9)).times((place % 9) + 1);
}

/** Formats `R$ 400.000,00 a R$ 500.000,00`: includes the first amount and excludes the second; `R$ 0,00` if all are zero. */
export function showAmounts({ from, to }: Range): string {
  const first = formatCurrency(amountFrom(from));
  return to === 0 ? first : `${first} a ${formatCurrency(amountFrom(to + 1))}`;
}

/** Returns the band of a rate or spread in percent a year: bands are one percentage point wide and begin at integers. */
export function rateBand(rate: string): number {
  const [whole = '0', fraction = ''] = rate.split('.');
  // A negative number with a fraction rounds down to the next integer; `+ 0` removes the sign of a zero.
  return Number(whole) - (rate.startsWith('-') && /[1-9]/.test(fraction) ? 1 : 0) + 0;
}

/** Label of credits without a known rate. */
export const noRate = 'Sem taxa informada';

/** Formats `12,00% a 13,00% a.a.`, `IPCA + 8,00% a 9,00% a.a.`: includes the first rate and excludes the second. */
export function showRates(indexer: Indexer, { from, to }: Range): string {
  if (indexer === 'PREFIXED') return `${formatPercent(String(from))} a ${formatPercent(String(to + 1))} a.a.`;
  const name = indexerName(indexer);
  if (from >= 0) return `${name} + ${formatPercent(String(from))} a ${formatPercent(String(to + 1))} a.a.`;
  const spread = (rate: number) => `${name} ${rate < 0 ? '-' : '+'} ${formatPercent(String(Math.abs(rate)))}`;
  return `${spread(from)} a ${spread(to + 1)} a.a.`;
}

const instalmentsOfBand = 12;

/** Returns the band of a number of instalments: 0, 1 to 12, 13 to 24 and so on. */
export function instalmentBand(count: number): number {
  return Math.ceil(count / instalmentsOfBand);
}

/** Formats `0`, `1 a 12`, `13 a 36`: both ends are included. */
export function showInstalments({ from, to }: Range): string {
  const first = from === 0 ? 0 : (from - 1) * instalmentsOfBand + 1;
  return to === 0 ? '0' : `${String(first)} a ${String(to * instalmentsOfBand)}`;
}

/** Returns a number for the month of a civil date; consecutive months have consecutive numbers. */
export function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

export function halfYearOf(month: number): number {
  return Math.floor(month / 6);
}

/** Formats months as the shortest text that covers them: `05/2026`, `1º semestre de 2026`, `2026`, `2026 a 2028`. */
export function showMonths({ from, to }: Range): string {
  const [first, last] = [Math.floor(from / 12), Math.floor(to / 12)];
  if (from === to) return `${String((from % 12) + 1).padStart(2, '0')}/${yearText(first)}`;
  if (halfYearOf(from) === halfYearOf(to))
    return `${String((halfYearOf(from) % 2) + 1)}º semestre de ${yearText(first)}`;
  return first === last ? yearText(first) : `${yearText(first)} a ${yearText(last)}`;
}

function yearText(year: number): string {
  return String(year).padStart(4, '0');
}

/** Returns the band of a number of days late: its row in the aging table of the report. */
export function latenessBand(daysLate: number): number {
  return agingBands.findLastIndex(({ fromDays }) => daysLate >= fromDays);
}

/** Formats `0`, `1 a 30`, `0 a 60`, `91 ou mais`: both ends are included; null for a range that covers every number of days. */
export function showDaysLate({ from, to }: Range): string | null {
  const first = String(agingBands[from]?.fromDays ?? 0);
  const next = agingBands[to + 1]?.fromDays;
  if (next === undefined) return from === 0 ? null : `${first} ou mais`;
  return to === 0 ? '0' : `${first} a ${String(next - 1)}`;
}
