import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { yieldOf, type Yield } from '../../securities/yield.js';
import { entryValues, unitsOn, type EntryValue } from '../events/entry-values.js';
import type { Planned } from '../events/plan-event.js';
import type { TrancheEventRow } from '../events/event.store.js';
import { policyOf, type PolicyColumns } from '../price-runs/policy-of.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import { isMissing } from '../unit-price/missing.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';
import type { ScheduleEntryRow } from './schedule.store.js';

export interface Projectable {
  readonly series: PolicyColumns & Pick<TrancheRow, 'status' | 'tokenQuantity'>;
  /** Every instalment and event, by day. */
  readonly instalments: readonly ScheduleEntryRow[];
  readonly events: readonly TrancheEventRow[];
  /** The last valid price; undefined to begin at the start of the series. */
  readonly opening: UnitPriceRow | undefined;
}

/** Expected amounts of instalments, by instalment number. */
export type Projection = ReadonlyMap<number, EntryValue>;

/**
 * Projects the amounts of instalments without a value: prices the days up to which they accrue, from the newest price on,
 * with the pricing engine. With inputs that repeat the newest index values, the projection of a series without an indexer
 * is exact. Leaves out instalments that cannot be projected: after a missing number, beyond the calendar, or of a CLOSED
 * series. Requests are served between two instalments.
 */
export async function projectInstalments(
  { series, instalments, events, opening }: Projectable,
  inputs: UnitPriceInputs,
): Promise<Projection> {
  const values = new Map<number, EntryValue>();
  if (series.status === 'CLOSED') return values;
  let previous = opening;
  try {
    const policy = policyOf(series, instalments);
    for (const [calculationDate, rows] of groupBy(instalments, (row) => row.calculationDate)) {
      if (rows.every(({ interestValue }) => interestValue !== null)) continue;
      if (opening !== undefined && calculationDate <= opening.date) continue;
      const row =
        previous === undefined
          ? unitPrice(policy, calculationDate, inputs)
          : advance(policy, previous, calculationDate, inputs);
      if (isMissing(row)) break;
      for (const value of entryValues(row, { rows, series, events }, inputs.calendar))
        values.set(value.installmentNumber, value);
      previous = row;
      await othersFirst();
    }
  } catch (error) {
    // The stored data is invalid, or the calendar ends: later instalments have no value either.
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}

/** Returns the yield of a unit at its price, by what it is paid after the day of the price; undefined without a price, and while a payment is not known. */
export function yieldOfSeries(
  { series, rows, events }: Planned,
  projection: Projection,
  calendar: Calendar,
): Yield | undefined {
  const { unitPrice: price, pricedOn, tokenQuantity } = series;
  if (price === null || pricedOn === null) return undefined;
  // Units that are redeemed are paid their price, and nothing is paid to those that are left.
  const ahead = rows.filter(
    (row) => row.calculationDate > pricedOn && !(row.installmentNumber < 0 && row.interestEvent === 'ACCRUED'),
  );
  const flows = ahead.flatMap(({ installmentNumber: number, calculationDate, dueDate, totalValue }) => {
    const total = totalValue ?? projection.get(number)?.totalValue;
    const units = unitsOn(tokenQuantity, events, calculationDate, -number);
    if (total === undefined || new Decimal(units).isZero()) return [];
    const days = calendar.businessDaysBetween(pricedOn, dueDate);
    return { dayCount: 'BUS252' as const, days, amount: new Decimal(total).div(units) };
  });
  return flows.length < ahead.length
    ? undefined
    : yieldOf(
        price,
        flows.filter(({ amount }) => !amount.isZero()),
      );
}
