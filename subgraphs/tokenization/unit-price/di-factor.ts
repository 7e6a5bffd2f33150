import { LRUCache } from 'lru-cache';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, round, truncate } from '../../../shared/kernel/decimal.js';
import type { Missing } from './missing.js';
import { power } from './power.js';

const one = new Decimal(1);
const daily = one.div(252);

/** Returns TDI of a day: `round((1 + rate/100)^(1/252) - 1, 8)`, with the rate in percent a year as B3 publishes it since 1998. */
export function dailyRate(rate: Decimal): Decimal {
  return round(power(rate.div(100).plus(1), daily).minus(1), 8);
}

/** Advances the running product by one day: each day's factor, and the product with it, are truncated at 16 decimals. */
function accrueDay(product: Decimal, tdi: Decimal, percentage: Decimal): Decimal {
  const factor = truncate(tdi.times(percentage).div(100).plus(1), 16);
  return truncate(product.times(factor), 16);
}

/** Returns the factor that enters the price, from the running product: rounded at 8 decimals. */
export function roundDiFactor(product: Decimal): Decimal {
  return round(product, 8);
}

/** Returns the factor of a percentage of DI over days, given their rates in percent a year. */
export function diFactor(rates: Iterable<Decimal>, percentage: Decimal): Decimal {
  let product = one;
  for (const rate of rates) product = accrueDay(product, dailyRate(rate), percentage);
  return roundDiFactor(product);
}

/** The DI rate of a day, in percent a year. */
export interface DiRate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly rate: Decimal;
}

/** A range of days to accrue, from `from` (included) to `to` (excluded). */
export interface DiStretch {
  readonly from: string;
  readonly to: string;
  /** Running product up to `from`; 1 at the start of a period. */
  readonly product: Decimal;
  readonly percentage: Decimal;
  readonly lagBusinessDays: number;
}

/** The published rates, converted to daily rates once for all series. */
export interface DiTable {
  /** Returns the running product at the end of a range, with 16 decimals; or the first day whose rate is missing. */
  accrue(stretch: DiStretch): Decimal | Missing;
}

/** How numbers after the newest one are treated: as missing, or as equal to the newest one. */
export type AfterNewest = 'MISSING' | 'HELD';

/** Takes O(1) a day; series with the same range share its product. @param afterNewest what days after the last rate accrue @throws {RangeError} for a rate of a day that is no business day */
export function createDiTable(
  rates: readonly DiRate[],
  calendar: Calendar,
  afterNewest: AfterNewest = 'MISSING',
): DiTable {
  const [origin] = rates.map(({ day }) => day).sort();
  // Index of a day: the number of business days after the first one.
  const position = (day: string) => (origin === undefined ? 0 : calendar.businessDaysBetween(origin, day));
  const table: Decimal[] = [];
  for (const { day, rate } of rates) {
    if (!calendar.isBusinessDay(day))
      throw new RangeError(`There is a DI rate for ${day}, which is not a business day`);
    table[position(day)] = dailyRate(rate);
  }
  const held = afterNewest === 'HELD' ? table.at(-1) : undefined;
  const known = new LRUCache<string, Decimal>({ max: 10_000 });
  return {
    accrue: ({ from, to, product, percentage, lagBusinessDays }) => {
      const key = [from, to, product, percentage, lagBusinessDays].join();
      const found = known.get(key);
      if (found !== undefined) return found;
      const first = position(from) - lagBusinessDays;
      const days = calendar.businessDaysBetween(from, to);
      let running = product;
      for (let index = 0; index < days; index++) {
        const tdi = first + index < table.length ? table[first + index] : held;
        if (tdi === undefined) {
          const day = calendar.addBusinessDays(calendar.following(from), index - lagBusinessDays);
          return { missing: { index: 'DI', day } };
        }
        running = accrueDay(running, tdi, percentage);
      }
      known.set(key, running);
      return running;
    },
  };
}
