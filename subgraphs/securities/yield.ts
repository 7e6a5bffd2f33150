import { Decimal } from '../../shared/kernel/decimal.js';
import { dayCounts, type DayCount } from './day-count.js';

/** What is expected on one day. */
export interface Flow {
  readonly dayCount: DayCount;
  /** Days from that of the price, by the day count; greater than 0. */
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
/** Yields beyond these bounds are not found. */
const [lowest, highest] = [new Fast('-0.9999'), new Fast('1e6')];
/** From far below a yield that is negative each step multiplies 1 + i by little more than 1 where the flows are of sixty years. */
const mostSteps = 1_000;

/**
 * Returns the yield of flows at a price: the rate i at which
 * Σ amount / (1 + i)^(days / days of the year of its day count) equals the price (internal rate of return; ANBIMA discounts likewise, over 252).
 * Newton's method within a bracket that is halved where it leaves it. Undefined where no yield lies between −99.99 and 100,000,000 %, and without flows.
 */
export function yieldOf(price: Decimal | string, flows: readonly Flow[]): Yield | undefined {
  const groups = grouped(flows);
  let [low, high] = [lowest, highest];
  if (flows.length === 0 || valueAt(groups, low).value.lessThan(price)) return undefined;
  if (valueAt(groups, high).value.greaterThan(price)) return undefined;
  const yieldAt = (rate: Decimal): Yield => ({
    percent: rate.times(100),
    duration: valueAt(groups, rate).slope.times(rate.plus(1)).div(price).negated(),
  });
  let rate = new Fast('0.2');
  for (let step = 0; step < mostSteps; step += 1) {
    const { value, slope } = valueAt(groups, rate);
    const excess = value.minus(price);
    if (excess.isZero()) return yieldAt(rate);
    if (excess.isPositive()) low = rate;
    else high = rate;
    const guess = rate.minus(excess.div(slope));
    const next = guess.greaterThan(low) && guess.lessThan(high) ? guess : low.plus(high).div(2);
    if (next.minus(rate).abs().lessThan('1e-10')) return yieldAt(next);
    rate = next;
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

/** Returns the present value at a yield, and its derivative by the yield. One root for each length of year: the rest are whole powers. */
function valueAt(groups: readonly Group[], rate: Decimal): { readonly value: Decimal; readonly slope: Decimal } {
  let [value, slope] = [new Fast(0), new Fast(0)];
  for (const { yearDays, flows } of groups) {
    const daily = rate.plus(1).pow(new Fast(-1).div(yearDays));
    let [before, factor] = [0, new Fast(1)];
    for (const [days, amount] of flows) {
      factor = factor.times(daily.pow(days - before));
      before = days;
      const present = factor.times(amount);
      value = value.plus(present);
      slope = slope.minus(present.times(days).div(yearDays));
    }
  }
  return { value, slope: slope.div(rate.plus(1)) };
}
