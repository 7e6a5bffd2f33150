/** Consecutive rates of the same value. */
interface RatePeriod {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly value: string;
}

/** Joins consecutive rates of the same value. @param rates by day, oldest first */
export function diRatePeriods(rates: readonly { readonly date: string; readonly value: string }[]): RatePeriod[] {
  const periods: RatePeriod[] = [];
  for (const { date, value } of rates) {
    const last = periods.at(-1);
    if (last?.value === value) periods[periods.length - 1] = { ...last, to: date, days: last.days + 1 };
    else periods.push({ from: date, to: date, days: 1, value });
  }
  return periods;
}
