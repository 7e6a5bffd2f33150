import { Decimal } from '../../shared/kernel/decimal.js';
import { dayCounts, type DayCount } from './day-count.js';

export interface Flow {
  readonly dayCount: DayCount;
  /** Days from the price's day, by the day count; greater than 0. */
  readonly days: number;
  /** In BRL, greater than 0. */
  readonly amount: Decimal | string;
}

export interface Yield {
  /** Percent a year, to 8 decimals. */
  readonly percent: Decimal;
  /** Macaulay duration in years: Σ years × present value / price. */
  readonly duration: Decimal;
}

/** Enough digits for a yield with 6 decimals; powers of 50 digits take five times as long. */
const Fast = Decimal.clone({ precision: 24 });
/** Growth in a year, 1 + i, beyond which no yield is found. */
const [lowest, highest] = [new Fast('0.0001'), new Fast('1000001')];
const mostSteps = 100;

/**
 * Returns the yield of flows at a price: the rate i at which Σ amount / (1 + i)^(days / days of the year of its day count) equals the price (internal rate
 * of return; ANBIMA uses the same formula over 252 days). Newton's method for the logarithms of value and growth, which are nearly on a line, within a
 * bracket that is halved when a step leaves it. Undefined without flows, or if no yield lies between −99.99 and 100,000,000 %.
 */
export function yieldOf(price: Decimal | string, flows: readonly Flow[]): Yield | undefined {
  const groups = grouped(flows);
  let [low, high] = [lowest, highest];
  if (flows.length === 0 || valueAt(groups, low).value.lessThan(price)) return undefined;
  if (valueAt(groups, high).value.greaterThan(price)) return undefined;
  let growth = new Fast('1.2');
  for (let step = 0; step < mostSteps; step += 1) {
    const { value, duration } = valueAt(groups, growth);
    if (value.lessThan(price)) high = growth;
    else low = growth;
    const guess = growth.times(value.div(price).pow(new Fast(1).div(duration)));
    const next = guess.lessThan(low) || guess.greaterThan(high) ? low.times(high).sqrt() : guess;
    if (next.minus(growth).abs().lessThan('1e-10')) return { percent: next.minus(1).times(100), duration };
    growth = next;
  }
  return undefined;
}

/** The flows of one length of year, the next first. */
interface Group {
  readonly yearDays: number;
  readonly flows: readonly (readonly [days: number, amount: Decimal | string])[];
}

function grouped(flows: readonly Flow[]): Group[] {
  const sums = new Map<number, Map<number, Decimal>>();
  for (const { dayCount, days, amount } of flows) {
    const { yearDays } = dayCounts[dayCount];
    const ofYear = sums.get(yearDays) ?? new Map<number, Decimal>();
    ofYear.set(days, (ofYear.get(days) ?? new Fast(0)).plus(amount));
    sums.set(yearDays, ofYear);
  }
  return [...sums].map(([yearDays, ofYear]) => ({
    yearDays,
    flows: [...ofYear].toSorted(([one], [other]) => one - other),
  }));
}

/** Returns the present value at a growth in a year, and the duration. One root for each length of year: the rest are whole powers. */
function valueAt(groups: readonly Group[], growth: Decimal): { readonly value: Decimal; readonly duration: Decimal } {
  let [value, weighted] = [new Fast(0), new Fast(0)];
  for (const { yearDays, flows } of groups) {
    const daily = growth.pow(new Fast(-1).div(yearDays));
    let [before, factor] = [0, new Fast(1)];
    for (const [days, amount] of flows) {
      factor = factor.times(daily.pow(days - before));
      before = days;
      const present = factor.times(amount);
      value = value.plus(present);
      weighted = weighted.plus(present.times(days).div(yearDays));
    }
  }
  return { value, duration: weighted.div(value) };
}
