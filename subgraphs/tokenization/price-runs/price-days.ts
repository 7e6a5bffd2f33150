import type { Calendar } from '../../../shared/calendar/calendar.js';
import { isMissing, type MissingInput } from '../unit-price/missing.js';
import type { UnitPricePolicy } from '../unit-price/policy.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';

/** The days of a series to price. Days are `YYYY-MM-DD`. */
export interface Stretch {
  readonly policy: UnitPricePolicy;
  /** The last valid row; undefined to begin at the start of the series. */
  readonly opening: UnitPriceRow | undefined;
  /** The last day to price. */
  readonly to: string;
  /** Days after the opening that already have a row: they are priced again, even if they are no business days. */
  readonly stored: ReadonlySet<string>;
}

/** Why the pricing of a stretch ended before its last day, if it did. */
export interface StretchEnd {
  /** The first number that the next day lacks. */
  readonly missing?: MissingInput;
  /** No principal is left: no later day needs a price. */
  readonly paidOff: boolean;
}

/**
 * Yields the prices of a stretch day by day, oldest first: of every business day and of the days of its events, on which it
 * pays. The day on which it is paid off is the last one. The caller may do other work between two days.
 * @throws {RangeError} for an invalid policy, or a day that the calendar does not cover
 */
export function* priceDays(stretch: Stretch, inputs: UnitPriceInputs): Generator<UnitPriceRow, StretchEnd> {
  const { policy, stored } = stretch;
  let { opening: previous } = stretch;
  let paidOff = previous?.nextVne.isZero() === true;
  for (const day of daysOf(stretch, inputs.calendar)) {
    if (paidOff && !stored.has(day)) continue;
    const row = previous === undefined ? unitPrice(policy, day, inputs) : advance(policy, previous, day, inputs);
    if (isMissing(row)) return { missing: row.missing, paidOff: false };
    yield row;
    previous = row;
    paidOff ||= row.nextVne.isZero();
  }
  return { paidOff };
}

function daysOf({ policy, opening, to, stored }: Stretch, calendar: Calendar): string[] {
  const begins = (day: string) => (opening === undefined ? day >= policy.startDate : day > opening.date);
  const days = [...policy.events.map(({ calculationDate }) => calculationDate), ...stored];
  let day = calendar.following(opening?.date ?? policy.startDate);
  for (; day <= to; day = calendar.addBusinessDays(day, 1)) days.push(day);
  return [...new Set(days)].filter((each) => begins(each) && each <= to).sort();
}
