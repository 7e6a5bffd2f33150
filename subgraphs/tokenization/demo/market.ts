import { Decimal, round } from '../../../shared/decimal.js';
import { createRandom } from '../../../shared/demo/random.js';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { PriceIndex } from '../unit-price/policy.js';
import { addMonths } from '../unit-price/months.js';

/* Invented index values of the demo, of realistic size but not the published ones. */

// Percent a year from a month on; the last level applies to all later months.
const diLevels: readonly (readonly [from: string, percent: string])[] = [
  ['2000-01', '13.65'],
  ['2023-08', '13.15'],
  ['2024-02', '11.15'],
  ['2024-09', '10.65'],
  ['2025-01', '13.15'],
  ['2025-06', '14.90'],
  ['2026-06', '14.15'],
];

/** Returns import lines with a DI rate for every business day between two days, both included. */
export function diLines(from: string, to: string, calendar: Calendar): string[] {
  const lines: string[] = [];
  for (let day = calendar.following(from); day <= to; day = calendar.addBusinessDays(day, 1)) {
    const level = diLevels.findLast(([month]) => month <= day)?.[1] ?? '';
    lines.push(`DI;${day};${level}`);
  }
  return lines;
}

const priceIndices: Readonly<
  Record<PriceIndex, { readonly first: string; readonly least: number; readonly most: number }>
> = {
  IPCA: { first: '4110.2', least: 5, most: 75 },
  IGPM: { first: '583.4', least: -35, most: 110 },
};

const firstMonth = '2015-01';

/**
 * Returns import lines with the numbers of a price index for every month between two months, both included. Monthly changes are
 * random hundredths of a percent, always the same for the same seed.
 */
export function priceIndexLines(index: PriceIndex, from: string, to: string, seed: string): string[] {
  const { first, least, most } = priceIndices[index];
  const lines: string[] = [];
  let number = new Decimal(first);
  for (let month = firstMonth; month <= to; month = addMonths(month, 1)) {
    const hundredths = createRandom(`${seed} ${index} ${month}`).int(least, most);
    number = round(number.times(10_000 + hundredths).div(10_000), 4);
    if (month >= from) lines.push(`${index};${month}-01;${number.toFixed(4)}`);
  }
  return lines;
}

/** Returns the last month with published price indices on a day: they are published on the 12th of the following month. */
export function lastPublishedMonth(today: string): string {
  return addMonths(today.slice(0, 7), today.slice(8) >= '12' ? -1 : -2);
}
